package io.openmessaging.benchmark.clock;

import java.util.Arrays;

/**
 * What is free between upper and lower bounds of an offset over time: the straight lines that fit in are the even drifts
 * that are possible. A line's slope is possible if the highest line below the upper bounds' convex hull is not below the
 * lowest one above the lower bounds'; the distance of the two, as a function of the slope, is concave and made of straight
 * pieces that meet at the slopes of the hulls' edges. After L. Zhang, Z. Liu and C. H. Xia, <em>Clock synchronization
 * algorithms for network measurements</em>, INFOCOM 2002.
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
     * The drift that the bounds prove: that of the lines that fit in, give or take what a drift can change by. Where none
     * fits in, the mean drift was less than that of the line that comes closest between two moments and more between two
     * others, so the same holds for that line.
     *
     * @param bounds with at least one point on each side
     */
    static ClockDrift drift(Envelope bounds) {
        Corridor corridor = new Corridor(bounds);
        int widest = corridor.widest();
        return ClockDrift.around(corridor.limit(widest, -1), corridor.limit(widest, 1));
    }

    /** Those at which the width has a corner, from the lowest on, and the limits of what is possible at all. */
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
        // Points of a staircase have no steeper edges.
        Arrays.sort(all);
        return all;
    }

    /** How far the lines of a slope are apart; below 0 if there is none that fits in. */
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

    /** The last slope of lines that fit in, in a direction from the widest: where the width becomes 0. */
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
}
