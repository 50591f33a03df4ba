package io.openmessaging.benchmark.clock;

import java.util.Arrays;

/**
 * Upper bounds, each proven for one time, of a quantity whose rate of change is within two limits; from them follows
 * the least upper bound at any other time. Only points below the bound that the other points imply are kept. In order
 * of time, the latest point up to a time is therefore the strictest of all points up to it, and the first point after
 * it the strictest of all points after it.
 *
 * <p>Queries and additions take O(log n); an addition also moves each newer point once and removes each point that it
 * makes superfluous. Values are rounded up to nanoseconds. Not thread-safe.
 */
final class Staircase {

    private static final int FIRST_CAPACITY = 64;

    private final double slowest;
    private final double fastest;
    private long[] times = new long[FIRST_CAPACITY];
    private long[] values = new long[FIRST_CAPACITY];
    private int first;
    private int end;

    /**
     * Creates a staircase without points.
     *
     * @param slowest least growth of the quantity per nanosecond; may be below 0
     * @param fastest largest growth of the quantity per nanosecond
     */
    Staircase(double slowest, double fastest) {
        this.slowest = slowest;
        this.fastest = fastest;
    }

    int size() {
        return end - first;
    }

    /** Returns the time of a point, counted from the oldest one. */
    long time(int index) {
        return times[first + index];
    }

    /** Returns the bound at a point. */
    long value(int index) {
        return values[first + index];
    }

    /** Returns the least upper bound at a time; {@link Long#MAX_VALUE} without a point. */
    long at(long time) {
        int strictest = strictest(time);
        return strictest < 0 ? Long.MAX_VALUE : grown(strictest, time);
    }

    /** Returns the time of the point that determines the bound at the given time; needs at least one point. */
    long reasonAt(long time) {
        return times[strictest(time)];
    }

    private int strictest(long time) {
        int next = firstAfter(time);
        if (next == first) {
            return next == end ? -1 : next;
        }
        return next == end || grown(next - 1, time) <= grown(next, time) ? next - 1 : next;
    }

    private long grown(int index, long time) {
        return values[index] + growth(time - times[index]);
    }

    /**
     * Returns by how much the quantity can be higher after the given time, at most, or before it if the time is
     * negative.
     */
    private long growth(long passed) {
        return (long) Math.ceil((passed >= 0 ? fastest : slowest) * passed);
    }

    private int firstAfter(long time) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Adds a point, unless others imply a bound as low, and removes the points that it makes superfluous. */
    void add(long time, long value) {
        if (at(time) <= value) {
            return;
        }
        int right = firstAfter(time);
        int left = right;
        while (left > first && values[left - 1] >= value + growth(times[left - 1] - time)) {
            left--;
        }
        while (right < end && values[right] >= value + growth(times[right] - time)) {
            right++;
        }
        replace(left, right, time, value);
    }

    /** Replaces the points from {@code left} to before {@code right} by one point. */
    private void replace(int left, int right, long time, long value) {
        if (left == right && end == times.length) {
            int moved = first;
            makeRoom();
            replace(left - moved, right - moved, time, value);
            return;
        }
        int moved = end - right;
        System.arraycopy(times, right, times, left + 1, moved);
        System.arraycopy(values, right, values, left + 1, moved);
        times[left] = time;
        values[left] = value;
        end = left + 1 + moved;
    }

    /** Moves the points to the start of the array; doubles its length if they fill more than half of it. */
    private void makeRoom() {
        int size = size();
        int capacity = size > times.length / 2 ? times.length * 2 : times.length;
        times = Arrays.copyOf(Arrays.copyOfRange(times, first, end), capacity);
        values = Arrays.copyOf(Arrays.copyOfRange(values, first, end), capacity);
        first = 0;
        end = size;
    }

    /** Removes the points before a moment. */
    void forgetBefore(long time) {
        while (first < end && times[first] < time) {
            first++;
        }
    }
}
