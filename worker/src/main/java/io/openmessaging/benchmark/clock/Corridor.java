package io.openmessaging.benchmark.clock;

import java.util.Arrays;

/**
 * The space between upper and lower bounds of an offset over time: the straight lines that fit into it are the
 * possible constant drifts. A slope is possible if the highest line of that slope below the convex hull of the upper
 * bounds is not below the lowest such line above the hull of the lower bounds; the distance of the two lines, as a
 * function of the slope, is concave and consists of straight pieces that meet at the slopes of the hulls' edges. After
 * L. Zhang, Z. Liu and C. H. Xia, <em>Clock synchronization algorithms for network measurements</em>, INFOCOM 2002.
 */
final class Corridor {

    private final Hull most;
    private final Hull negatedLeast;
    private final double[] slopes;
    private final double[] widths;

    private Corridor(Envelope bounds) {
        long baseTimeNs = bounds.most().time(0);
        long baseNs = bounds.most().value(0);
        this.most = new Hull(bounds.most(), baseTimeNs, baseNs);
        this.negatedLeast = new Hull(bounds.negatedLeast(), baseTimeNs, -baseNs);
        this.slopes = slopes();
        this.widths = Arrays.stream(slopes).map(this::width).toArray();
    }

    /**
     * Returns the drift that the bounds prove: the slopes of the lines that fit, plus or minus the largest change of a
     * drift. If no line fits, the mean drift was less than the slope of the closest line between two times and more
     * between two others, so the drift is within the largest change of that slope as well.
     *
     * @param bounds bounds with at least one point on each side
     */
    static ClockDrift drift(Envelope bounds) {
        Corridor corridor = new Corridor(bounds);
        int widest = corridor.widest();
        return ClockDrift.around(corridor.limit(widest, -1), corridor.limit(widest, 1));
    }

    /** Returns the slopes at which the width has a corner, in ascending order, and the limits of possible slopes. */
    private double[] slopes() {
        double[] all = new double[most.edges() + negatedLeast.edges() + 2];
        int count = 0;
        all[count++] = -ClockDrift.MAX;
        all[count++] = ClockDrift.MAX;
        for (int i = 0; i < most.edges(); i++) {
            all[count++] = most.slope(i);
        }
        for (int i = 0; i < negatedLeast.edges(); i++) {
            all[count++] = -negatedLeast.slope(i);
        }
        // The edges between points of a staircase are not steeper than these limits.
        Arrays.sort(all);
        return all;
    }

    /** Returns the distance of the two lines of a slope; below 0 if no line of that slope fits. */
    private double width(double slope) {
        return most.support(slope) + negatedLeast.support(-slope);
    }

    private int widest() {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            if (widths[i] > widths[widest]) {
                widest = i;
            }
        }
        return widest;
    }

    /** Returns the last slope of a line that fits, in one direction from the widest: where the width becomes 0. */
    private double limit(int widest, int step) {
        int last = widest;
        while (widths[last] >= 0 && last + step >= 0 && last + step < widths.length) {
            int next = last + step;
            if (widths[next] < 0) {
                return slopes[last] + (slopes[next] - slopes[last]) * widths[last] / (widths[last] - widths[next]);
            }
            last = next;
        }
        return slopes[last];
    }

    /** The lower convex hull of points: every line below the points is below the hull, and touches it if moved up. */
    private static final class Hull {

        private final long[] times;
        private final long[] values;
        private int size;

        /**
         * Creates the hull of all points in O(n).
         *
         * @param points points of two minutes, so that products of their distances fit into a long, see {@link
         *     #isAbove}
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

        /**
         * Returns the value, at the base time, of the highest line of a slope that is not above any point, in O(log n).
         */
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
}
