package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.audit.ConsumerAudit;
import io.openmessaging.benchmark.audit.MissingMessages;
import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.audit.SubscriptionAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.judge.outage.FaultAudit;
import io.openmessaging.benchmark.load.AvailabilityRecorder;
import io.openmessaging.benchmark.load.LoadedProducer;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.MessageReceiver;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A system with scripted outages, in virtual time, with one producer and one consumer of one topic. It uses the
 * classes of a worker and no other part of a run.
 */
final class SimulatedOutages {

    static final long MS = 1_000_000L;
    static final long S = 1000 * MS;
    private static final int RUN_TAG = 4711;
    private static final long LATENCY_NS = 2 * MS;
    private static final Topology TOPOLOGY = new Topology("run", 1, 1, 1, 1, 1);

    /** Fate of messages that are sent while the system is away. */
    enum Mode {
        /** The system refuses them at once. */
        REFUSED,
        /** The client keeps them until the system is back. */
        KEPT,
        /** The client accepts none until the system is back. */
        BLOCKED
    }

    /**
     * A time during which the system is away.
     *
     * @param lostBefore number of lost messages, which are the last ones acknowledged before the outage
     * @param keptBefore number of messages before these that are kept and not delivered
     * @param faultToNs end of the fault, during which the system may answer again
     */
    record Outage(long fromNs, long toNs, Mode mode, int lostBefore, int keptBefore, long faultToNs) {

        /** An outage that lasts as long as its fault. */
        Outage(long fromNs, long toNs, Mode mode, int lostBefore, int keptBefore) {
            this(fromNs, toNs, mode, lostBefore, keptBefore, toNs);
        }
    }

    private record Due(long atNs, long order, Runnable what) {}

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNs).thenComparingLong(Due::order));
    private final List<Outage> outages;
    private final List<byte[]> deliverable = new ArrayList<>();

    /** Messages that the system has, delivered or not. */
    private final List<byte[]> kept = new ArrayList<>();

    private final Measurements measurements = Measurements.stamped(this::nowNs, 1);
    private final AvailabilityRecorder recorder = new AvailabilityRecorder(RUN_TAG, this::nowNs, null);
    private final ProducerAudit producerAudit = new ProducerAudit(0);
    private final SubscriptionAudit subscriptionAudit =
            new SubscriptionAudit(TOPOLOGY.topic(0).name(), 0);
    private final ConsumerAudit consumerAudit = new ConsumerAudit(subscriptionAudit, 0, 1, 1);
    private final MessageListener listener = recorder.watch(new MessageReceiver(
            0, MessageHeader.Layout.FULL, RUN_TAG, consumerAudit, measurements, null, (partition, series) -> {
                throw new AssertionError("no probe was sent");
            }));
    private final LoadedProducer producer = new LoadedProducer(
            recorder.watch(new Client(), 0), producerAudit, measurements, MessageHeader.Layout.FULL, RUN_TAG);
    private long nowNs;
    private long endNs;
    private long order;

    SimulatedOutages(List<Outage> outages) {
        this.outages = outages;
    }

    private long nowNs() {
        return nowNs;
    }

    private void at(long atNs, Runnable what) {
        due.add(new Due(atNs, order++, what));
    }

    private @Nullable Outage outage(long atNs) {
        return outages.stream()
                .filter(outage -> outage.fromNs <= atNs && atNs < outage.toNs)
                .findFirst()
                .orElse(null);
    }

    /**
     * Sends for a while and reports the effects of the outages, each of which counts as a fault.
     *
     * @param waitEnd reason that the wait for missing messages ended
     * @param readAnew true if a fresh consumer reads what the system has
     */
    FaultOutcome.FaultReport run(
            long startNs, long toNs, double msgPerSec, AuditReport.WaitEnd waitEnd, boolean readAnew) {
        return run(startNs, toNs, msgPerSec, waitEnd, readAnew, outages.size());
    }

    /** Counts only the first {@code faults} outages as faults. */
    FaultOutcome.FaultReport run(
            long startNs, long toNs, double msgPerSec, AuditReport.WaitEnd waitEnd, boolean readAnew, int faults) {
        endNs = toNs;
        for (long i = 0; ; i++) {
            long intendedNs = startNs + (long) (i * S / msgPerSec);
            if (intendedNs >= endNs) {
                break;
            }
            at(intendedNs, () -> send(intendedNs));
        }
        for (Outage outage : outages) {
            at(outage.fromNs, () -> lose(outage.lostBefore, outage.keptBefore));
        }
        while (!due.isEmpty()) {
            Due next = due.remove();
            nowNs = next.atNs;
            next.what.run();
        }
        deliverable.forEach(this::deliver);
        consumerAudit.close();
        AuditPart part = new AuditPart(List.of(producerAudit.dispatches()), List.of(subscriptionAudit.arrivals()))
                .with(recorder.seen());
        PeriodSnapshot period = new PeriodSnapshot(startNs, endNs, Totals.none(1), Totals.none(1), Map.of());
        List<Event> events = outages.stream()
                .limit(faults)
                .map(outage -> new Event(
                        "cut",
                        outage.fromNs,
                        outage.fromNs,
                        outage.faultToNs,
                        outage.faultToNs,
                        null,
                        List.of(),
                        Map.of()))
                .toList();
        AuditPart found = readAnew ? readAnew(part) : null;
        return new FaultAudit(TOPOLOGY, List.of(period), part, waitEnd, found).of(events, Map.of());
    }

    private AuditPart readAnew(AuditPart part) {
        MissingMessages missing = new MissingMessages(part, TOPOLOGY.producersByTopic(), TOPOLOGY.subscriptionCount());
        kept.forEach(payload -> missing.came(MessageHeader.producer(payload), MessageHeader.sequence(payload)));
        return missing.found();
    }

    private void send(long intendedNs) {
        Outage outage = outage(nowNs);
        if (outage != null && outage.mode == Mode.BLOCKED) {
            if (outage.toNs < endNs) {
                at(outage.toNs, () -> send(intendedNs));
            }
            return;
        }
        try {
            producer.send(null, new byte[MessageHeader.Layout.FULL.bytes()], intendedNs, nowNs);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Loses messages that were acknowledged last; they can still be lost because the system delivers late. */
    private void lose(int lost, int keptOnly) {
        for (int i = 0; i < lost; i++) {
            kept.remove(deliverable.remove(deliverable.size() - 1));
        }
        for (int i = 0; i < keptOnly; i++) {
            deliverable.remove(deliverable.size() - 1);
        }
    }

    private void deliver(byte[] payload) {
        listener.received(null, payload, 0);
    }

    private final class Client implements BenchmarkProducer {

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            Outage outage = outage(nowNs);
            if (outage == null) {
                at(nowNs + LATENCY_NS, () -> acknowledge(payload, callback));
            } else if (outage.mode == Mode.REFUSED) {
                callback.failed(new IllegalStateException("away"));
            } else {
                at(outage.toNs + LATENCY_NS, () -> acknowledge(payload, callback));
            }
        }

        /** Keeps messages that are in flight when the system goes away until it is back. */
        private void acknowledge(byte[] payload, SendCallback callback) {
            Outage outage = outage(nowNs);
            if (outage == null) {
                deliverable.add(payload);
                kept.add(payload);
                callback.acknowledged();
            } else {
                at(outage.toNs + LATENCY_NS, () -> acknowledge(payload, callback));
            }
        }

        @Override
        public void close() {}
    }
}
