package io.openmessaging.benchmark.judge.outage;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.availability.Slots;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What faults did, and what became of the messages of each, once clients are closed. */
public final class FaultAudit {

    private final Topology topology;
    private final AuditPart part;
    private final AuditReport.WaitEnd waitEnd;
    private final List<PeriodSnapshot> measured;
    private final @Nullable AuditPart found;

    /**
     * Of a run whose measurement has a period at least.
     *
     * @param measured its periods
     * @param part what workers know
     * @param waitEnd how the wait for what is missing ended
     * @param found what a fresh consumer has found of it, as arrivals; null if there was none
     */
    public FaultAudit(
            Topology topology,
            List<PeriodSnapshot> measured,
            AuditPart part,
            AuditReport.WaitEnd waitEnd,
            @Nullable AuditPart found) {
        this.topology = topology;
        this.measured = measured;
        this.part = part;
        this.waitEnd = waitEnd;
        this.found = found;
    }

    /**
     * What came of the faults, in their order.
     *
     * @param errors how many of each kind there were in the whole run
     */
    public FaultOutcome.FaultReport of(List<Event> events, Map<String, Long> errors) {
        long startNs = measured.get(0).startNs();
        long endNs = measured.get(measured.size() - 1).endNs();
        long firstNs = events.get(0).orderedNs();
        long firstSlot = sinceMissing(fromSlot(events.get(0)));
        List<FaultOutcome.Messages> messages = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean last = i == events.size() - 1;
            messages.add(messages(
                    i == 0 ? firstSlot : fromSlot(events.get(i)),
                    last ? Long.MAX_VALUE : fromSlot(events.get(i + 1)),
                    events.get(i).orderedNs(),
                    last ? Long.MAX_VALUE : events.get(i + 1).orderedNs()));
        }
        int subscriptions = topology.hasConsumers() ? topology.subscriptionCount() : 0;
        return new Outages(
                        part.availability(),
                        topology.producersByTopic().values(),
                        subscriptions,
                        startNs,
                        endNs,
                        firstNs)
                .outcomes(events, messages, messages(Long.MIN_VALUE, firstSlot, 0, firstNs), errors);
    }

    /** From when on messages belong to a fault. */
    private static long fromSlot(Event event) {
        return Slots.of(event.orderedNs()) - Outages.BEFORE_FAULT_SLOTS;
    }

    /**
     * From when on they belong to the first one: the backlog of a subscription that it destroys was sent before it, as much as is
     * missing without interruption up to a slot, in whole slots and one in part. Between later ones, messages belong to a fault
     * anyway.
     */
    private long sinceMissing(long fromSlot) {
        long firstSlot = part.availability().ofAll().firstSlot();
        long slot = fromSlot;
        while (slot > firstSlot && lacks(slot - 1, true)) {
            slot--;
        }
        return slot > firstSlot && lacks(slot - 1, false) ? slot - 1 : slot;
    }

    /** Whether a subscription has not got what was acknowledged in a slot: nothing of it, or not all of it. */
    private boolean lacks(long slot, boolean all) {
        return report(slot, slot + 1, List.of(part)).subscriptions().stream().anyMatch(copies -> {
            long missing = copies.lost() + copies.undelivered();
            return missing > 0 && (!all || missing == copies.expected());
        });
    }

    private FaultOutcome.Messages messages(long fromSlot, long toSlot, long fromNs, long toNs) {
        AuditReport report = report(fromSlot, toSlot, List.of(part));
        AuditReport withFound = found == null ? report : report(fromSlot, toSlot, List.of(part, found));
        long missing = report.lost() + report.undelivered();
        long foundHere = missing - withFound.lost() - withFound.undelivered();
        return new FaultOutcome.Messages(
                report.sent(),
                report.failed(),
                withFound.lost(),
                missing - withFound.lost(),
                found == null || missing == 0 ? null : foundHere,
                sum(report, AuditReport.SubscriptionReport::failedButReceived),
                duplicatedBy(toNs) - duplicatedBy(fromNs),
                report.outOfOrder(),
                report.inDoubt());
    }

    private AuditReport report(long fromSlot, long toSlot, List<AuditPart> parts) {
        return AuditReport.between(
                fromSlot, toSlot, parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd);
    }

    private static long sum(AuditReport report, ToLongFunction<AuditReport.SubscriptionReport> count) {
        return report.subscriptions().stream().mapToLong(count).sum();
    }

    /** How many arrivals were known to be duplicates at the end of the last period before a time, or at the end. */
    private long duplicatedBy(long ns) {
        if (ns == Long.MAX_VALUE) {
            return part.arrivals().stream()
                    .mapToLong(AuditPart.ArrivalCounts::duplicated)
                    .sum();
        }
        return measured.stream()
                .filter(period -> period.endNs() <= ns)
                .map(PeriodSnapshot::totals)
                .mapToLong(FaultAudit::duplicated)
                .max()
                .orElse(0);
    }

    private static long duplicated(Totals totals) {
        return totals.duplicated().stream().mapToLong(Long::longValue).sum();
    }
}
