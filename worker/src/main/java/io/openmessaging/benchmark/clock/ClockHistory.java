package io.openmessaging.benchmark.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge about a clock over the course of a run, in slots of a second. In a long run, neighbouring slots are
 * repeatedly merged, so that there are never more than 2,048 slots: after half an hour a slot is two seconds long,
 * after two days two minutes. Each slot keeps the largest bound and one round trip. Not thread-safe.
 */
final class ClockHistory {

    static final int MAX_SLOTS = 2_048;

    private List<HistoryPoint> slots = new ArrayList<>();
    private long widthNs = TimeUnit.SECONDS.toNanos(1);

    private static final class HistoryPoint {
        final long startNs;
        long endNs;
        long reportedNs;

        @Nullable
        Offset reported;

        long sent;
        final Map<String, Long> answered = new TreeMap<>();
        long shortestNs = Long.MAX_VALUE;
        long roundTripNs;

        HistoryPoint(long startNs) {
            this.startNs = startNs;
        }

        boolean isAnswered() {
            return !answered.isEmpty();
        }

        void report(long atNs, Offset offset) {
            if (reported == null || offset.boundNs() > reported.boundNs()) {
                reportedNs = atNs;
                reported = offset;
            }
        }

        HistoryPoint and(HistoryPoint later) {
            endNs = later.endNs;
            if (later.reported != null) {
                report(later.reportedNs, later.reported);
            }
            sent += later.sent;
            roundTripNs = isAnswered() ? roundTripNs : later.roundTripNs;
            later.answered.forEach((method, count) -> answered.merge(method, count, Long::sum));
            shortestNs = Math.min(shortestNs, later.shortestNs);
            return this;
        }
    }

    /** Returns the slot of a time that is not before the latest one. */
    private HistoryPoint at(long nowNs) {
        if (slots.isEmpty() || nowNs - slots.get(slots.size() - 1).startNs >= widthNs) {
            if (slots.size() == MAX_SLOTS) {
                halve();
            }
            slots.add(new HistoryPoint(nowNs));
        }
        HistoryPoint slot = slots.get(slots.size() - 1);
        slot.endNs = Math.max(slot.endNs, nowNs);
        return slot;
    }

    private void halve() {
        List<HistoryPoint> halved = new ArrayList<>();
        for (int i = 0; i < slots.size(); i += 2) {
            halved.add(slots.get(i).and(slots.get(i + 1)));
        }
        slots = halved;
        widthNs *= 2;
    }

    void report(long nowNs, Offset offset) {
        at(nowNs).report(nowNs, offset);
    }

    void sent(long nowNs) {
        at(nowNs).sent++;
    }

    void answered(long nowNs, long roundTripNs, String method) {
        HistoryPoint slot = at(nowNs);
        if (!slot.isAnswered()) {
            slot.roundTripNs = roundTripNs;
        }
        slot.answered.merge(method, 1L, Long::sum);
        slot.shortestNs = Math.min(slot.shortestNs, roundTripNs);
    }

    private List<HistoryPoint> during(long startNs, long endNs) {
        return slots.stream()
                .filter(slot -> slot.endNs >= startNs && slot.startNs <= endNs)
                .toList();
    }

    /** Returns the offsets reported in a span of time; null if there are none. */
    ClockReport.@Nullable Offsets offsets(long startNs, long endNs) {
        List<HistoryPoint> reported = during(startNs, endNs).stream()
                .filter(slot -> slot.reported != null)
                .toList();
        if (reported.isEmpty()) {
            return null;
        }
        long[] bounds = reported.stream()
                .mapToLong(slot -> offset(slot).boundNs())
                .sorted()
                .toArray();
        HistoryPoint first = reported.get(0);
        HistoryPoint last = reported.get(reported.size() - 1);
        long passedNs = last.reportedNs - first.reportedNs;
        double movedNs = offset(last).aheadNs() - offset(first).aheadNs();
        double unsureNs = (double) offset(last).boundNs() + offset(first).boundNs();
        return new ClockReport.Offsets(
                offset(last),
                bounds[bounds.length - 1],
                bounds[bounds.length / 2],
                passedNs == 0 ? 0 : movedNs / passedNs * 1e6,
                passedNs == 0 ? ClockDrift.MAX_PPM : unsureNs / passedNs * 1e6);
    }

    private static Offset offset(HistoryPoint slot) {
        return slot.reported == null ? Offset.NONE : slot.reported;
    }

    /** Returns the questions and answers of a span of time. */
    ClockReport.Probes probes(long startNs, long endNs) {
        List<HistoryPoint> all = during(startNs, endNs);
        Map<String, Long> answered = new TreeMap<>();
        all.forEach(slot -> slot.answered.forEach((method, count) -> answered.merge(method, count, Long::sum)));
        long[] roundTrips = all.stream()
                .filter(HistoryPoint::isAnswered)
                .mapToLong(slot -> slot.roundTripNs)
                .sorted()
                .toArray();
        boolean any = roundTrips.length > 0;
        return new ClockReport.Probes(
                all.stream().mapToLong(slot -> slot.sent).sum(),
                answered,
                any ? all.stream().mapToLong(slot -> slot.shortestNs).min().orElse(0) : 0,
                any ? roundTrips[roundTrips.length / 2] : 0);
    }
}
