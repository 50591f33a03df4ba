package io.openmessaging.benchmark.clock;

/** The lower convex hull of points: every line below the points is below the hull, and touches it if moved up. */
final class Hull {

    private final long[] times;
    private final long[] values;
    private int size;

    /**
     * Creates the hull of all points in O(n).
     *
     * @param points points of two minutes, so that products of their distances fit into a long, see {@link #isAbove}
     * @param baseTime the origin of times
     * @param baseValue the origin of values
     */
    Hull(Staircase points, long baseTime, long baseValue) {
        this.times = new long[points.size()];
        this.values = new long[points.size()];
        for (int i = 0; i < points.size(); i++) {
            add(points.time(i) - baseTime, points.value(i) - baseValue);
        }
    }

    private void add(long time, long value) {
        while (size > 1 && isAbove(size - 1, time, value)) {
            size--;
        }
        times[size] = time;
        values[size] = value;
        size++;
    }

    /**
     * Returns whether a corner is not below the line from the previous corner to a later point. Values of a
     * staircase's points differ by less than 50 ppm of the time between them: in two minutes 6·10⁶ of 1.2·10¹¹ ns.
     */
    private boolean isAbove(int corner, long time, long value) {
        long past = times[corner] - times[corner - 1];
        long rise = values[corner] - values[corner - 1];
        return rise * (time - times[corner - 1]) >= (value - values[corner - 1]) * past;
    }

    int edges() {
        return size - 1;
    }

    /** Returns the slope of the edge after a corner; later edges are steeper. */
    double slope(int edge) {
        return (double) (values[edge + 1] - values[edge]) / (times[edge + 1] - times[edge]);
    }

    /** Returns the value, at the base time, of the highest line of a slope that is not above any point, in O(log n). */
    double support(double slope) {
        int low = 0;
        int high = edges();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (slope(middle) <= slope) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return values[low] - slope * times[low];
    }
}
