package io.openmessaging.benchmark.live.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * A limited number of points over time. When the history is full, neighbouring points are joined, and from then on
 * each point represents twice as many added points. Not thread-safe.
 *
 * @param <P> a point; immutable
 */
final class History<P> {

    private final int most;
    private final BinaryOperator<P> join;
    private final List<P> points = new ArrayList<>();

    /** The number of added points that each point represents. */
    private int perPoint = 1;

    private int inLast;

    /**
     * Creates an empty history.
     *
     * @param most maximum number of points; even
     * @param join joins two consecutive points into one
     */
    History(int most, BinaryOperator<P> join) {
        if (most < 2 || most % 2 != 0) {
            throw new IllegalArgumentException("A history of " + most + " points cannot be halved");
        }
        this.most = most;
        this.join = join;
    }

    /**
     * Adds a point after all others, either by changing the last point or by adding one after it.
     *
     * @return true if all points have changed, since neighbours were joined
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

    /**
     * Joins neighbours. The history and its last point are full, so all points represent the same number of added
     * points.
     */
    private void halve() {
        List<P> joined = new ArrayList<>(most);
        for (int i = 0; i < points.size(); i += 2) {
            joined.add(join.apply(points.get(i), points.get(i + 1)));
        }
        points.clear();
        points.addAll(joined);
        perPoint *= 2;
    }

    /** Returns a copy of the points. */
    List<P> points() {
        return List.copyOf(points);
    }

    /** Returns the index of the point that was added or changed last; -1 without points. */
    int lastIndex() {
        return points.size() - 1;
    }

    /** Returns the point that was added or changed last. There must be one. */
    P last() {
        return points.get(points.size() - 1);
    }
}
