package io.openmessaging.benchmark.judge;

import io.openmessaging.benchmark.availability.Availability;
import io.openmessaging.benchmark.availability.LatencyBuckets;
import io.openmessaging.benchmark.availability.SlotCounts;
import io.openmessaging.benchmark.availability.SlotSums;
import io.openmessaging.benchmark.availability.Slots;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.result.FaultOutcome.State;
import io.openmessaging.benchmark.result.FaultOutcome.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from what became of messages, slot by slot, what faults did to a system. Pure: from counts to outcomes.
 *
 * <p>A fault answers for what happens until the next one begins, or the measurement ends.
 */
public final class Outages {

    /** Messages that were under way, or acknowledged and not safe yet, when a fault began, belong to it. */
    public static final long BEFORE_FAULT_SLOTS = 20;

    /** As long as this a system has to be as before to have recovered. */
    static final long STEADY_SLOTS = 100;

    /** With ten messages a second or more, nothing that is sent for so long means that clients do not take what is due. */
    static final long GAP_SLOTS = 10;

    private static final long ON_TIME_SLOTS = Slots.ON_TIME_NS / Slots.LENGTH_NS;

    /** Less than this part of what is due is less than was. */
    static final double MOST = 0.99;

    private final SlotCounts all;
    private final SlotSums sums;
    private final SlotSums publishLatencies;
    private final SlotSums deliveryLatencies;
    private final List<SlotCounts> topics;

    /** The slot after the last one with a message that was sent: what was due later never was. */
    private final long sentToSlot;

    private final long fromSlot;
    private final long toSlot;
    private final Baseline publish;
    private final Baseline delivery;

    /**
     * Of a measurement.
     *
     * @param seen of all producers
     * @param topics which producers each topic has
     * @param startNs when it began, epoch nanoseconds
     * @param endNs when it ended
     * @param firstFaultNs when the first fault began
     */
    public Outages(Availability seen, Collection<List<Integer>> topics, long startNs, long endNs, long firstFaultNs) {
        this.all = seen.ofAll();
        this.sums = new SlotSums(all, Availability.KINDS);
        this.publishLatencies = new SlotSums(seen.publishLatencies(), LatencyBuckets.COUNT);
        this.deliveryLatencies = new SlotSums(seen.deliveryLatencies(), LatencyBuckets.COUNT);
        this.topics = topics.stream()
                .map(producers -> producers.stream()
                        .map(producer -> seen.sends().getOrDefault(producer, SlotCounts.none(Availability.KINDS)))
                        .reduce(SlotCounts.none(Availability.KINDS), SlotCounts::plus))
                .toList();
        this.fromSlot = Slots.of(startNs + Slots.LENGTH_NS - 1);
        this.toSlot = Slots.of(endNs);
        this.sentToSlot = lastDue() + 1;
        long firstFault = Slots.of(firstFaultNs);
        this.publish = new Baseline(publishLatencies, fromSlot, toSlot, firstFault);
        this.delivery = new Baseline(deliveryLatencies, fromSlot, toSlot, firstFault);
    }

    /**
     * What came of all faults.
     *
     * @param events in their order
     * @param messages what became of the messages of each
     * @param before what became of those before the first
     * @param errors how many of each kind there were in the whole run
     */
    public FaultOutcome.All outcomes(
            List<Event> events,
            List<FaultOutcome.Messages> messages,
            FaultOutcome.Messages before,
            Map<String, Long> errors) {
        List<FaultOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean last = i + 1 == events.size();
            long nextNs = last ? Slots.startNs(toSlot) : events.get(i + 1).orderedNs();
            Map<String, Long> until = last ? errors : events.get(i + 1).errorsBefore();
            outcomes.add(outcome(
                    events.get(i),
                    Math.min(toSlot, Slots.of(nextNs)),
                    messages.get(i),
                    since(events.get(i).errorsBefore(), until)));
        }
        return new FaultOutcome.All(outcomes, windows(), before, publish.p99Ns());
    }

    private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> until) {
        Map<String, Long> more = new HashMap<>();
        until.forEach((kind, count) -> more.put(kind, count - before.getOrDefault(kind, 0L)));
        more.values().removeIf(count -> count == 0);
        return more;
    }

    private FaultOutcome outcome(
            Event event, long untilSlot, FaultOutcome.Messages messages, Map<String, Long> errors) {
        long begin = Slots.of(event.orderedNs());
        long undone = Slots.of(event.undoneNs());
        long affected = firstAffected(begin, untilSlot);
        long recovered = steadyFrom(undone, untilSlot);
        long affectedTo = recovered < 0 ? untilSlot : Math.max(recovered, undone);
        return new FaultOutcome(
                event,
                secondsAfter(event.orderedNs(), affected),
                Slots.seconds(count(begin, affectedTo, State.DOWN)),
                Slots.seconds(countPartlyDown(begin, affectedTo)),
                Slots.seconds(affected < 0 ? 0 : count(affected, affectedTo, State.DEGRADED)),
                failoverSeconds(event, begin, Math.min(undone, untilSlot)),
                secondsAfter(event.undoneNs(), recovered),
                secondsAfter(event.undoneNs(), caughtUpFrom(undone, untilSlot)),
                messages,
                errors);
    }

    /**
     * When something was acknowledged again for the first time, if that certainly was before the fault was taken back: what is
     * due in its last second may be acknowledged after it, and on time nevertheless.
     */
    private @Nullable Double failoverSeconds(Event event, long fromSlot, long toSlot) {
        long again = event.problem() == null ? againFrom(fromSlot, toSlot) : -1;
        if (again < 0) {
            return null;
        }
        long soonestNs = Long.MAX_VALUE;
        // What was due first has waited longest; something that was due later may have been acknowledged before it.
        for (long slot = again; slot <= Math.min(again + ON_TIME_SLOTS, toSlot - 1); slot++) {
            if (all.count(slot, Availability.ON_TIME) > 0) {
                long shortestNs = LatencyBuckets.percentileNs(publishLatencies, slot, slot + 1, 0);
                soonestNs = Math.min(soonestNs, Slots.startNs(slot + 1) + shortestNs);
            }
        }
        return soonestNs > event.undoOrderedNs() ? null : (soonestNs - event.orderedNs()) / 1e9;
    }

    private static @Nullable Double secondsAfter(long ns, long slot) {
        return slot < 0 ? null : Math.max(0, (Slots.startNs(slot) - ns) / 1e9);
    }

    private long lastDue() {
        long slot = all.endSlot() - 1;
        while (slot >= all.firstSlot() && all.count(slot, Availability.DUE) == 0) {
            slot--;
        }
        return slot;
    }

    /** The state of a slot; null if the system answered as before, or nothing was due. */
    private @Nullable State state(long slot) {
        if (all.count(slot, Availability.DUE) == 0 && (slot < sentToSlot || toSlot - sentToSlot < GAP_SLOTS)) {
            return null;
        }
        if (all.count(slot, Availability.ON_TIME) == 0) {
            return State.DOWN;
        }
        return isLate(slot) || publish.isSlow(slot) ? State.DEGRADED : null;
    }

    private boolean isLate(long slot) {
        return all.count(slot, Availability.ON_TIME) < MOST * all.count(slot, Availability.DUE);
    }

    /** The first slot that was not as before, and is not slow by chance alone; -1 if there is none. */
    private long firstAffected(long from, long to) {
        for (long slot = from; slot < to; slot++) {
            if (state(slot) == State.DOWN || isLate(slot) || publish.isSlowByMoreThanChance(slot, to)) {
                return slot;
            }
        }
        return -1;
    }

    private long count(long from, long to, State state) {
        long count = 0;
        for (long slot = from; slot < to; slot++) {
            count += state(slot) == state ? 1 : 0;
        }
        return count;
    }

    private long countPartlyDown(long from, long to) {
        long count = 0;
        for (long slot = from; slot < to; slot++) {
            count += state(slot) != State.DOWN && isDownForATopic(slot) ? 1 : 0;
        }
        return count;
    }

    private boolean isDownForATopic(long slot) {
        return topics.stream()
                .anyMatch(topic ->
                        topic.count(slot, Availability.DUE) > 0 && topic.count(slot, Availability.ON_TIME) == 0);
    }

    /** The first slot with an answer after the first one without; -1 if there is none. */
    private long againFrom(long from, long to) {
        boolean wasDown = false;
        for (long slot = from; slot < to; slot++) {
            boolean down = state(slot) == State.DOWN;
            if (wasDown && !down && all.count(slot, Availability.DUE) > 0) {
                return slot;
            }
            wasDown = wasDown || down;
        }
        return -1;
    }

    /** From when on the system answered as before for {@link #STEADY_SLOTS}; -1 if it never did. */
    private long steadyFrom(long from, long to) {
        for (long slot = from; slot + STEADY_SLOTS <= to; slot++) {
            long end = slot + STEADY_SLOTS;
            long due = sums.sum(slot, end, Availability.DUE);
            if (due > 0
                    && state(slot) == null
                    && sums.sum(slot, end, Availability.ON_TIME) >= MOST * due
                    && publish.isAsBefore(slot, end)) {
                return slot;
            }
        }
        return -1;
    }

    private long caughtUpFrom(long from, long to) {
        for (long slot = from; slot + STEADY_SLOTS <= to; slot++) {
            long end = slot + STEADY_SLOTS;
            if (LatencyBuckets.percentileNs(deliveryLatencies, slot, end, 1) > 0
                    && !delivery.isSlow(slot)
                    && delivery.isAsBefore(slot, end)) {
                return slot;
            }
        }
        return -1;
    }

    /** Neighbouring slots of one state are a window. */
    private List<Window> windows() {
        List<Window> windows = new ArrayList<>();
        for (long slot = fromSlot; slot < toSlot; slot++) {
            State state = state(slot);
            int last = windows.size() - 1;
            if (state == null) {
                continue;
            }
            if (last >= 0
                    && windows.get(last).state() == state
                    && windows.get(last).endNs() == Slots.startNs(slot)) {
                windows.set(last, new Window(state, windows.get(last).startNs(), Slots.startNs(slot + 1)));
            } else {
                windows.add(new Window(state, Slots.startNs(slot), Slots.startNs(slot + 1)));
            }
        }
        return windows;
    }
}
