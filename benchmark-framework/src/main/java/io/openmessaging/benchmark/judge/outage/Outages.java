package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.availability.SlotSums;
import io.openmessaging.benchmark.availability.Slots;
import io.openmessaging.benchmark.judge.outage.Gaps.Gap;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.result.FaultOutcome.SystemState;
import io.openmessaging.benchmark.result.FaultOutcome.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, slot by slot from what became of messages, what faults did to a system. Pure: from counts to outcomes.
 *
 * <p>A fault is responsible for everything until the next one starts, or the measurement ends.
 */
public final class Outages {

    /** Slots before a fault that belong to it: their messages were on their way, or acknowledged and not safe yet. */
    public static final long BEFORE_FAULT_SLOTS = 20;

    /** A system has recovered once it has been as before for this long. */
    static final long STEADY_SLOTS = 100;

    /**
     * At ten messages a second or more, sending nothing for this long means that clients do not take the messages due.
     */
    static final long GAP_SLOTS = 10;

    /** Fewer messages than this part of those due are fewer than before. */
    static final double MOST = 0.99;

    private final SlotCounts all;
    private final SlotSums sums;
    private final SlotSums publishLatencies;
    private final SlotSums deliveryLatencies;
    private final int subscriptions;

    /**
     * Arrivals of the messages of all slots before one; for each slot at most as many as its subscriptions were to
     * get.
     */
    private final long[] arrivedBefore;

    private final Gaps gaps;
    private final List<Gaps> gapsOfTopics;

    /** The slot after the last one whose messages were sent: messages due later were never sent. */
    private final long sentToSlot;

    private final long fromSlot;
    private final long toSlot;
    private final Baseline publish;
    private final Baseline delivery;

    /**
     * Creates the outages of a measurement.
     *
     * @param seen availability of all producers
     * @param topics producers of each topic
     * @param subscriptions number of subscriptions that are to get each message
     * @param startNs start of the measurement, epoch nanoseconds
     * @param endNs end of the measurement
     * @param firstFaultNs start of the first fault
     */
    public Outages(
            Availability seen,
            Collection<List<Integer>> topics,
            int subscriptions,
            long startNs,
            long endNs,
            long firstFaultNs) {
        this.all = seen.ofAll();
        this.sums = new SlotSums(all, Availability.KINDS);
        this.publishLatencies = new SlotSums(seen.publishLatencies(), LatencyBuckets.COUNT);
        this.deliveryLatencies = new SlotSums(seen.deliveryLatencies(), LatencyBuckets.COUNT);
        this.subscriptions = subscriptions;
        this.fromSlot = Slots.of(startNs + Slots.LENGTH_NS - 1);
        this.toSlot = Math.max(fromSlot, Slots.of(endNs));
        this.sentToSlot = sentTo();
        this.arrivedBefore = arrivedBefore(seen.deliveryLatencies());
        long fromNs = Slots.startNs(fromSlot);
        long toNs = Slots.startNs(toSlot);
        long sentToNs = Slots.startNs(sentToSlot);
        this.gaps = new Gaps(seen.together(), Slots.FINE_NS, fromNs, toNs, sentToNs, firstFaultNs);
        this.gapsOfTopics = topics.stream()
                .map(producers -> producers.stream()
                        .map(producer -> seen.sends().getOrDefault(producer, SlotCounts.none(Availability.KINDS)))
                        .reduce(SlotCounts.none(Availability.KINDS), SlotCounts::plus))
                .map(topic -> new Gaps(topic, Slots.LENGTH_NS, fromNs, toNs, sentToNs, firstFaultNs))
                .toList();
        long firstFault = Slots.of(firstFaultNs);
        this.publish = new Baseline(publishLatencies, fromSlot, toSlot, firstFault);
        this.delivery = new Baseline(deliveryLatencies, fromSlot, toSlot, firstFault);
    }

    /** The end of the measurement, unless nothing was sent for a while before it. */
    private long sentTo() {
        long slot = all.endSlot();
        while (slot > all.firstSlot() && all.count(slot - 1, Availability.DUE) == 0) {
            slot--;
        }
        return toSlot - slot < GAP_SLOTS ? toSlot : slot;
    }

    private long[] arrivedBefore(SlotCounts deliveries) {
        long[] before = new long[(int) (toSlot - fromSlot) + 1];
        for (int i = 1; i < before.length; i++) {
            long slot = fromSlot + i - 1;
            long arrived = 0;
            for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
                arrived += deliveries.count(slot, bucket);
            }
            before[i] = before[i - 1] + Math.min(arrived, (long) subscriptions * all.count(slot, Availability.DUE));
        }
        return before;
    }

    /**
     * The outcome of all faults.
     *
     * @param events faults, in their order
     * @param messages outcome of the messages of each fault
     * @param before outcome of the messages before the first fault
     * @param errors number of errors in the whole run, by kind
     */
    public FaultOutcome.FaultReport outcomes(
            List<Event> events,
            List<FaultOutcome.Messages> messages,
            FaultOutcome.Messages before,
            Map<String, Long> errors) {
        List<FaultOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean last = i + 1 == events.size();
            long nextNs = last ? Long.MAX_VALUE : events.get(i + 1).orderedNs();
            Map<String, Long> until = last ? errors : events.get(i + 1).errorsBefore();
            outcomes.add(outcome(
                    events.get(i), nextNs, messages.get(i), since(events.get(i).errorsBefore(), until)));
        }
        return new FaultOutcome.FaultReport(outcomes, windows(), before, publish.p99Ns());
    }

    private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> until) {
        Map<String, Long> more = new HashMap<>();
        until.forEach((kind, count) -> more.put(kind, count - before.getOrDefault(kind, 0L)));
        more.values().removeIf(count -> count == 0);
        return more;
    }

    private FaultOutcome outcome(Event event, long untilNs, FaultOutcome.Messages messages, Map<String, Long> errors) {
        long untilSlot = Math.min(toSlot, Slots.of(untilNs));
        long undone = Slots.of(event.undoneNs());
        long affected = firstAffected(Slots.of(event.orderedNs()), untilSlot);
        long recovered = steadyFrom(undone, untilSlot);
        long affectedTo = recovered < 0 ? untilSlot : Math.max(recovered, undone);
        Gap down = affected < 0
                ? Gap.NONE
                : gaps.longest(event.orderedNs(), untilNs, Slots.startNs(affected), Slots.startNs(affectedTo));
        return new FaultOutcome(
                event,
                secondsAfter(event.orderedNs(), affected),
                down.lengthNs() / 1e9,
                affected < 0 ? 0 : countPartlyDown(affected, affectedTo) * Slots.LENGTH_NS / 1e9,
                affected < 0 ? 0 : degradedNs(affected, affectedTo, down) / 1e9,
                failoverSeconds(event, untilNs),
                secondsAfter(event.undoneNs(), recovered),
                secondsAfter(event.undoneNs(), caughtUpFrom(undone, untilSlot)),
                messages,
                errors);
    }

    /**
     * Seconds until messages were acknowledged again after the longest gap in a fault; null unless that was certainly
     * before the fault was to be undone.
     */
    private @Nullable Double failoverSeconds(Event event, long untilNs) {
        long toNs = Math.min(event.undoOrderedNs(), untilNs);
        Gap down = gaps.longest(event.orderedNs(), toNs, event.orderedNs(), toNs);
        // The acknowledgement is within the slot that starts with the end of the gap.
        long againNs = down.endNs() + Slots.FINE_NS;
        boolean over = down.lengthNs() > 0 && againNs <= toNs && event.problem() == null;
        return over ? (againNs - event.orderedNs()) / 1e9 : null;
    }

    private static @Nullable Double secondsAfter(long ns, long slot) {
        return slot < 0 ? null : Math.max(0, (Slots.startNs(slot) - ns) / 1e9);
    }

    /** The state of a slot; null if the system answered as before, or nothing was due. */
    private @Nullable SystemState state(long slot) {
        if (gaps.isDownAt(Slots.startNs(slot + 1))) {
            return SystemState.DOWN;
        }
        return isLate(slot) || publish.isSlow(slot) ? SystemState.DEGRADED : null;
    }

    private boolean isLate(long slot) {
        return all.count(slot, Availability.ON_TIME) < MOST * all.count(slot, Availability.DUE);
    }

    /** The first slot that was not as before, and is not slow by chance alone; -1 if there is none. */
    private long firstAffected(long from, long to) {
        for (long slot = from; slot < to; slot++) {
            if (isLate(slot)
                    || publish.isSlowByMoreThanChance(slot, to)
                    || gaps.isByMoreThanChance(Slots.startNs(slot), Slots.startNs(slot + 1))) {
                return slot;
            }
        }
        return -1;
    }

    /** Time in which the system was not as before, without the longest gap. */
    private long degradedNs(long from, long to, Gap longest) {
        long ns = 0;
        for (long slot = from; slot < to; slot++) {
            if (state(slot) != null) {
                ns += Slots.LENGTH_NS
                        - longest.within(Slots.startNs(slot), Slots.startNs(slot + 1))
                                .lengthNs();
            }
        }
        return ns;
    }

    private long countPartlyDown(long from, long to) {
        long count = 0;
        for (long slot = from; slot < to; slot++) {
            long endNs = Slots.startNs(slot + 1);
            count += !gaps.isDownAt(endNs) && gapsOfTopics.stream().anyMatch(topic -> topic.isDownAt(endNs)) ? 1 : 0;
        }
        return count;
    }

    /** First slot from which the system answered as before for {@link #STEADY_SLOTS}; -1 if there is none. */
    private long steadyFrom(long from, long to) {
        for (long slot = from; slot + STEADY_SLOTS <= to; slot++) {
            long end = slot + STEADY_SLOTS;
            if (isAnswering(slot, end)
                    && state(slot) == null
                    && sums.sum(slot, end, Availability.ON_TIME) >= MOST * sums.sum(slot, end, Availability.DUE)
                    && publish.isAsBefore(slot, end)) {
                return slot;
            }
        }
        return -1;
    }

    /** Returns whether messages were sent from one slot to another, and answered without a long gap. */
    private boolean isAnswering(long slot, long end) {
        return end <= sentToSlot
                && all.count(slot, Availability.DUE) > 0
                && !gaps.isLongerThan(Slots.ON_TIME_NS, Slots.startNs(slot + 1), Slots.startNs(end));
    }

    /**
     * First slot from which consumers got messages that were sent and accepted as before for {@link #STEADY_SLOTS}; -1
     * if there is none.
     */
    private long caughtUpFrom(long from, long to) {
        for (long slot = from; slot + STEADY_SLOTS <= to; slot++) {
            long end = slot + STEADY_SLOTS;
            long accepted = sums.sum(slot, end, Availability.DUE) - sums.sum(slot, end, Availability.FAILED);
            if (isAnswering(slot, end)
                    && arrived(slot, slot + 1) > 0
                    && arrived(slot, end) >= MOST * subscriptions * accepted
                    && !delivery.isSlow(slot)
                    && delivery.isAsBefore(slot, end)) {
                return slot;
            }
        }
        return -1;
    }

    private long arrived(long from, long to) {
        return arrivedBefore[(int) (to - fromSlot)] - arrivedBefore[(int) (Math.max(from, fromSlot) - fromSlot)];
    }

    /** The gaps, and neighbouring slots between them that were degraded. */
    private List<Window> windows() {
        List<Window> windows = new ArrayList<>();
        gaps.outages().stream()
                .map(gap -> gap.within(Slots.startNs(fromSlot), Slots.startNs(toSlot)))
                .forEach(gap -> windows.add(new Window(SystemState.DOWN, gap.startNs(), gap.endNs())));
        Window last = null;
        for (long slot = fromSlot; slot < toSlot; slot++) {
            if (state(slot) != SystemState.DEGRADED) {
                last = null;
                continue;
            }
            if (last != null) {
                windows.remove(last);
            }
            long startNs = last == null ? gaps.endOfOneAt(Slots.startNs(slot)) : last.startNs();
            last = new Window(SystemState.DEGRADED, startNs, Slots.startNs(slot + 1));
            windows.add(last);
        }
        windows.sort(Comparator.comparingLong(Window::startNs));
        return windows;
    }
}
