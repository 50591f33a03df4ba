package io.openmessaging.benchmark.live.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Points over time, never more than a number of them: when it is full, neighbours are joined, and from then on each point
 * stands for twice as many of those that were added. Not thread-safe.
 *
 * @param <P> a point; not changed once it is made
 */
final class History<P> {

    private final int most;
    private final BinaryOperator<P> join;
    private final List<P> points = new ArrayList<>();

    /** How many added points one stands for. */
    private int perPoint = 1;

    private int inLast;

    /**
     * An empty one.
     *
     * @param most how many points are kept; even
     * @param join makes one point of two in a row
     */
    History(int most, BinaryOperator<P> join) {
        if (most < 2 || most % 2 != 0) {
            throw new IllegalArgumentException("A history of " + most + " points cannot be halved");
        }
        this.most = most;
        this.join = join;
    }

    /**
     * Adds a point after all others. Changes the last point or adds one after it.
     *
     * @return whether all points have changed, since neighbours were joined
     */
    boolean add(P point) {
        int last = points.size() - 1;
        if (last >= 0 && inLast < perPoint) {
            points.set(last, join.apply(points.get(last), point));
            inLast++;
            return false;
        }
        boolean full = points.size() == most;
        if (full) {
            halve();
        }
        points.add(point);
        inLast = 1;
        return full;
    }

    /** All points stand for equally many when this is called: the history is full, and so is its last point. */
    private void halve() {
        List<P> joined = new ArrayList<>(most);
        for (int i = 0; i < points.size(); i += 2) {
            joined.add(join.apply(points.get(i), points.get(i + 1)));
        }
        points.clear();
        points.addAll(joined);
        perPoint *= 2;
    }

    /** The points until now, a copy. */
    List<P> points() {
        return List.copyOf(points);
    }

    /** The index of the point that was added or changed last; -1 without any. */
    int lastIndex() {
        return points.size() - 1;
    }

    /** The point that was added or changed last. There has to be one. */
    P last() {
        return points.get(points.size() - 1);
    }
}
