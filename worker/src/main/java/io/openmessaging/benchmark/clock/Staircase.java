package io.openmessaging.benchmark.clock;

import java.util.Arrays;

/**
 * Upper bounds, each proven for one moment, of a quantity whose rate of change is within two limits; and thereby the least
 * upper bound for every other moment. Kept are the points that are below what the others allow. In the order of time, the
 * latest point up to a moment is then the strictest of all up to it, and the first after it the strictest of all after it.
 *
 * <p>A question and a point take O(log n), a point besides one move for each point that is newer and one for each that it
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
     * Without a point.
     *
     * @param slowest by how much the quantity grows in a nanosecond, at least; may be below 0
     * @param fastest at most
     */
    Staircase(double slowest, double fastest) {
        this.slowest = slowest;
        this.fastest = fastest;
    }

    int size() {
        return end - first;
    }

    /** When the point was, counted from the oldest one. */
    long time(int index) {
        return times[first + index];
    }

    /** The bound then. */
    long value(int index) {
        return values[first + index];
    }

    /** The least upper bound at a moment; {@link Long#MAX_VALUE} without a point. */
    long at(long time) {
        int strictest = strictest(time);
        return strictest < 0 ? Long.MAX_VALUE : grown(strictest, time);
    }

    /** Of which moment the point is that makes the bound at the given one; there is a point. */
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

    /** The most by which the quantity can be higher after so long, or before it if that is below 0. */
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

    /** Adds a point, unless others allow no more anyway, and removes those that it makes superfluous. */
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

    /** Puts a point in the place of those from {@code left} to before {@code right}. */
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

    /** Moves the points to the beginning, of an array of twice the length if they fill more than half of it. */
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
