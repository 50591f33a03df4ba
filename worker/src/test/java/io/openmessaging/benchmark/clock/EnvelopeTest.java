package io.openmessaging.benchmark.clock;

import static io.openmessaging.benchmark.clock.SimulatedWorker.SECOND_NS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the envelope with its definition over all points, before, between and after them. */
class EnvelopeTest {

    private record Point(boolean upper, long timeNs, long aheadNs) {}

    private static long growth(double slope, long ns) {
        return (long) Math.ceil(slope * ns);
    }

    private static long most(List<Point> points, ClockDrift drift, long timeNs) {
        return points.stream()
                .filter(Point::upper)
                .mapToLong(p ->
                        p.aheadNs + growth(timeNs >= p.timeNs ? drift.fastest() : drift.slowest(), timeNs - p.timeNs))
                .min()
                .orElseThrow();
    }

    private static long least(List<Point> points, ClockDrift drift, long timeNs) {
        return points.stream()
                .filter(p -> !p.upper)
                .mapToLong(p ->
                        p.aheadNs - growth(timeNs >= p.timeNs ? -drift.slowest() : -drift.fastest(), timeNs - p.timeNs))
                .max()
                .orElseThrow();
    }

    private static void add(Envelope envelope, Point point) {
        if (point.upper) {
            envelope.addMost(point.timeNs, point.aheadNs);
        } else {
            envelope.addLeast(point.timeNs, point.aheadNs);
        }
    }

    /** Returns points of about a second in any order, with the upper points above the lower ones. */
    private static List<Point> points(Random random) {
        List<Point> points = new ArrayList<>();
        int count = 2 + random.nextInt(60);
        int noise = 1 + random.nextInt(100_000);
        for (int i = 0; i < count; i++) {
            boolean upper = i == 0 || i > 1 && random.nextBoolean();
            long timeNs = random.nextInt(2) * SECOND_NS / 2 + random.nextInt(1_000_000_000);
            points.add(new Point(upper, timeNs, (upper ? 1 : -1) * (25_000L + random.nextInt(noise))));
        }
        return points;
    }

    private static ClockDrift drift(Random random) {
        double one = (random.nextDouble() - 0.5) * 1e-4;
        double other = (random.nextDouble() - 0.5) * 1e-4;
        return random.nextInt(3) == 0 ? ClockDrift.ANY : new ClockDrift(Math.min(one, other), Math.max(one, other));
    }

    @Test
    void itAnswersAsAllPointsDo() {
        Random random = new Random(1);
        for (int run = 0; run < 2_000; run++) {
            ClockDrift drift = drift(random);
            Envelope envelope = new Envelope(drift);
            List<Point> points = points(random);
            points.forEach(point -> add(envelope, point));
            for (int i = 0; i < 10; i++) {
                long timeNs = random.nextInt(2_000_000_000) * 2L - SECOND_NS;
                assertThat(envelope.mostAt(timeNs)).as("run %d", run).isEqualTo(most(points, drift, timeNs));
                assertThat(envelope.leastAt(timeNs)).as("run %d", run).isEqualTo(least(points, drift, timeNs));
            }
        }
    }

    /** The limits are possible clocks: they drift as allowed and fit all points. So no smaller interval is right. */
    @Test
    void whatItAllowsIsPossible() {
        Random random = new Random(2);
        for (int run = 0; run < 200; run++) {
            ClockDrift drift = drift(random);
            Envelope envelope = new Envelope(drift);
            List<Point> points = points(random);
            points.forEach(point -> add(envelope, point));
            if (envelope.contradiction() != null) {
                continue;
            }
            for (Point point : points) {
                assertThat(envelope.leastAt(point.timeNs)).isLessThanOrEqualTo(envelope.mostAt(point.timeNs));
                long bound = point.upper ? envelope.mostAt(point.timeNs) : envelope.leastAt(point.timeNs);
                assertThat(point.upper ? bound <= point.aheadNs : bound >= point.aheadNs)
                        .isTrue();
            }
            long step = 10_000_000;
            for (long timeNs = 0; timeNs < 2 * SECOND_NS; timeNs += step) {
                long most = envelope.mostAt(timeNs + step) - envelope.mostAt(timeNs);
                long least = envelope.leastAt(timeNs + step) - envelope.leastAt(timeNs);
                assertThat((double) most).isBetween(drift.slowest() * step - 1, drift.fastest() * step + 1);
                assertThat((double) least).isBetween(drift.slowest() * step - 1, drift.fastest() * step + 1);
            }
        }
    }

    @Test
    void aPairOfLimitsStandsForAllBeforeIt() {
        Random random = new Random(3);
        for (int run = 0; run < 1_000; run++) {
            ClockDrift drift = drift(random);
            Envelope condensed = new Envelope(drift);
            List<Point> points = points(random);
            points.forEach(point -> add(condensed, point));
            long fromNs = random.nextInt(1_500_000_000);
            condensed.condense(fromNs, condensed.leastAt(fromNs), condensed.mostAt(fromNs));
            assertThat(condensed.most().time(0)).isGreaterThanOrEqualTo(fromNs);
            for (int i = 0; i < 10; i++) {
                long timeNs = fromNs + random.nextInt(2_000_000_000);
                assertThat(condensed.mostAt(timeNs)).isCloseTo(most(points, drift, timeNs), within(1L));
                assertThat(condensed.leastAt(timeNs)).isCloseTo(least(points, drift, timeNs), within(1L));
            }
        }
    }

    @Test
    void itFindsEachContradiction() {
        Random random = new Random(4);
        int found = 0;
        for (int run = 0; run < 5_000; run++) {
            ClockDrift drift = drift(random);
            List<Point> points = points(random);
            if (random.nextBoolean()) {
                points.add(new Point(true, random.nextInt(1_000_000_000), -25_000 - random.nextInt(20_000)));
            }
            Envelope envelope = new Envelope(drift);
            points.forEach(point -> add(envelope, point));
            long worst = points.stream()
                    .filter(p -> !p.upper)
                    .mapToLong(p -> p.aheadNs - most(points, drift, p.timeNs))
                    .max()
                    .orElseThrow();
            ClockBreak told = envelope.contradiction();
            assertThat(told == null ? 0 : Math.abs(told.movedNs())).isEqualTo(Math.max(0, worst));
            found += told == null ? 0 : 1;
        }
        assertThat(found).isBetween(1_000, 4_000);
    }

    @Test
    void manyPointsThatAllCountAreKeptInOrder() {
        Envelope envelope = new Envelope(ClockDrift.ANY);
        int count = 3_000;
        for (int i = 0; i < count; i++) {
            int place = (i * 7 + 3) % count;
            envelope.addMost(place * 100_000_000L, 1_000);
        }
        assertThat(envelope.size()).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            assertThat(envelope.most().time(i)).isEqualTo(i * 100_000_000L);
        }
    }
}
