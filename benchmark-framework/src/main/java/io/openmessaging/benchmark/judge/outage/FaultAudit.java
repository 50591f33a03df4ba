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

/** Finds out what faults did, and what became of the messages of each, once clients are closed. */
public final class FaultAudit {

    private final Topology topology;
    private final AuditPart part;
    private final AuditReport.WaitEnd waitEnd;
    private final List<PeriodSnapshot> measured;
    private final @Nullable AuditPart found;

    /**
     * Creates the audit of a run whose measurement has at least one period.
     *
     * @param measured periods of the measurement
     * @param part records of the workers
     * @param waitEnd how the wait for missing messages ended
     * @param found missing messages that a fresh consumer has found, as arrivals; null if there was none
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
     * The outcome of the faults, in their order.
     *
     * @param errors number of errors in the whole run, by kind
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

    /** The first slot whose messages belong to a fault. */
    private static long fromSlot(Event event) {
        return Slots.of(event.orderedNs()) - Outages.BEFORE_FAULT_SLOTS;
    }

    /**
     * The first slot whose messages belong to the first fault. A backlog that the fault destroys was sent before it:
     * all slots up to {@code fromSlot} that are missing completely and without interruption, and one more that is
     * missing in part. Messages between later faults belong to a fault anyway.
     */
    private long sinceMissing(long fromSlot) {
        long firstSlot = part.availability().ofAll().firstSlot();
        long slot = fromSlot;
        while (slot > firstSlot && lacks(slot - 1, true)) {
            slot--;
        }
        return slot > firstSlot && lacks(slot - 1, false) ? slot - 1 : slot;
    }

    /**
     * Returns whether a subscription lacks acknowledged messages of a slot: all of them if {@code all}, otherwise any.
     */
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
                topology.kind().partitionsTold() ? report.outOfOrder() : null,
                report.inDoubt());
    }

    private AuditReport report(long fromSlot, long toSlot, List<AuditPart> parts) {
        return AuditReport.between(
                fromSlot, toSlot, parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd);
    }

    private static long sum(AuditReport report, ToLongFunction<AuditReport.SubscriptionReport> count) {
        return report.subscriptions().stream().mapToLong(count).sum();
    }

    /** Number of arrivals known to be duplicates at the end of the last period before a time, or at the end. */
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
