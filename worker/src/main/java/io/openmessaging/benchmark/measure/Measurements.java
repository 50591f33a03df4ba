package io.openmessaging.benchmark.measure;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Everything that one worker counts and times during a run.
 *
 * <p>{@link #acknowledged}, {@link #failed} and {@link #received} may be called from any thread; {@link #sample} by one
 * thread at a time.
 */
public final class Measurements {

    /** In place of a time that a message was too small to carry. */
    public static final long NOT_STAMPED = Long.MIN_VALUE;

    private static class AckShard extends Shards.Shard {
        final Counter acknowledged = new Counter();
        final Counter failed = new Counter();
        final LatencyPair publish = new LatencyPair();

        AckShard(boolean shared) {
            super(shared);
        }

        void acknowledged(long nowNs, long intendedNs, long sentNs) {
            acknowledged.add(1);
            publish.record(nowNs - sentNs, nowNs - intendedNs);
        }
    }

    /** Also keeps when the first message of the latest load and the last of all were confirmed. */
    private static final class StampedAckShard extends AckShard {

        /** A load's messages are known by when they were sent: loads do not overlap. */
        private final LongSupplier loadBeginNs;

        final Counter firstAcknowledgedNs = new Counter();
        final Counter lastAcknowledgedNs = new Counter();

        StampedAckShard(boolean shared, LongSupplier loadBeginNs) {
            super(shared);
            this.loadBeginNs = loadBeginNs;
        }

        @Override
        void acknowledged(long nowNs, long intendedNs, long sentNs) {
            super.acknowledged(nowNs, intendedNs, sentNs);
            long beginNs = loadBeginNs.getAsLong();
            if (sentNs >= beginNs && firstAcknowledgedNs.get() < beginNs) {
                firstAcknowledgedNs.set(nowNs);
            }
            lastAcknowledgedNs.set(nowNs);
        }
    }

    private static class ReceiveShard extends Shards.Shard {
        final Counter[] received;
        final Counter unknown = new Counter();
        final LatencyPair endToEnd = new LatencyPair();

        ReceiveShard(boolean shared, int subscriptionCount) {
            super(shared);
            received = new Counter[subscriptionCount];
            for (int i = 0; i < subscriptionCount; i++) {
                received[i] = new Counter();
            }
        }

        void received(int subscription, long nowNs, long intendedNs, long sentNs) {
            received[subscription].add(1);
            if (intendedNs != NOT_STAMPED) {
                endToEnd.record(nowNs - sentNs, nowNs - intendedNs);
            } else if (sentNs != NOT_STAMPED) {
                endToEnd.recordActual(nowNs - sentNs);
            }
        }
    }

    /** Also keeps when the last message came. */
    private static final class StampedReceiveShard extends ReceiveShard {

        final Counter lastArrivedNs = new Counter();

        StampedReceiveShard(boolean shared, int subscriptionCount) {
            super(shared, subscriptionCount);
        }

        @Override
        void received(int subscription, long nowNs, long intendedNs, long sentNs) {
            super.received(subscription, nowNs, intendedNs, sentNs);
            lastArrivedNs.set(nowNs);
        }
    }

    private final LongSupplier clock;
    private final int subscriptionCount;
    private final Supplier<PublishStats> publisherFactory;
    private final List<PublishStats> publishers = new CopyOnWriteArrayList<>();
    private final Shards<AckShard> acks;
    private final Shards<ReceiveShard> receives;
    private final ErrorCounts errors = new ErrorCounts();
    private final AtomicLong loadBeginNs = new AtomicLong();
    private volatile IntToLongFunction duplicatesOf = subscription -> 0;
    private Totals lastTotals;
    private Map<Latency, LatencyCounts> lastCounts = noCounts();
    private long lastSampleNs;

    /**
     * Nothing counted yet; the first period begins now.
     *
     * @param clock epoch nanoseconds
     * @param subscriptionCount how many subscriptions each topic has
     */
    public Measurements(LongSupplier clock, int subscriptionCount) {
        this(clock, subscriptionCount, false);
    }

    private Measurements(LongSupplier clock, int subscriptionCount, boolean stamped) {
        this.clock = clock;
        this.subscriptionCount = subscriptionCount;
        this.publisherFactory = stamped ? PublishStats.Stamped::new : PublishStats::new;
        this.acks = new Shards<>(stamped ? shared -> new StampedAckShard(shared, loadBeginNs::get) : AckShard::new);
        this.receives = new Shards<>(
                stamped
                        ? shared -> new StampedReceiveShard(shared, subscriptionCount)
                        : shared -> new ReceiveShard(shared, subscriptionCount));
        this.lastTotals = Totals.none(subscriptionCount);
        this.lastSampleNs = clock.getAsLong();
    }

    /** Who knows how many of a subscription's arrivals were of messages that had arrived before; asked with all totals. */
    public void knowDuplicates(IntToLongFunction ofSubscription) {
        duplicatesOf = ofSubscription;
    }

    /** As the constructor, but keeps what {@link #loadSpan} tells: three more writes a message. */
    public static Measurements stamped(LongSupplier clock, int subscriptionCount) {
        return new Measurements(clock, subscriptionCount, true);
    }

    /** A load begins now: what is sent from now on is of it. */
    public void beginLoad() {
        loadBeginNs.set(clock.getAsLong());
    }

    /**
     * When the messages of the load that began last were on their way; empty if none was sent, or if that is not kept.
     */
    public Optional<LoadSpan> loadSpan() {
        long beginNs = loadBeginNs.get();
        List<PublishStats.Stamped> stamps = publishers.stream()
                .filter(PublishStats.Stamped.class::isInstance)
                .map(PublishStats.Stamped.class::cast)
                .filter(publisher -> publisher.hasSent() && publisher.firstSentNs() >= beginNs)
                .toList();
        OptionalLong first =
                stamps.stream().mapToLong(PublishStats.Stamped::firstSentNs).min();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        long last = stamps.stream()
                .mapToLong(PublishStats.Stamped::lastSentNs)
                .max()
                .orElseThrow();
        Optional<Long> lastArrived = receives.all().stream()
                .filter(StampedReceiveShard.class::isInstance)
                .map(shard -> ((StampedReceiveShard) shard).lastArrivedNs.get())
                .filter(arrivedNs -> arrivedNs >= first.getAsLong())
                .max(Long::compare);
        return Optional.of(new LoadSpan(
                first.getAsLong(),
                last,
                acknowledgedSince(beginNs, shard -> shard.firstAcknowledgedNs).min(Long::compare),
                acknowledgedSince(beginNs, shard -> shard.lastAcknowledgedNs).max(Long::compare),
                lastArrived));
    }

    private Stream<Long> acknowledgedSince(long beginNs, Function<StampedAckShard, Counter> stamp) {
        return acks.all().stream()
                .filter(StampedAckShard.class::isInstance)
                .map(shard -> stamp.apply((StampedAckShard) shard).get())
                .filter(stampNs -> stampNs >= beginNs);
    }

    /** The counters of one more sending thread. */
    public PublishStats newPublisher() {
        PublishStats stats = publisherFactory.get();
        publishers.add(stats);
        return stats;
    }

    /** A message was confirmed now. */
    public void acknowledged(long intendedNs, long sentNs) {
        long nowNs = clock.getAsLong();
        AckShard shard = acks.mine();
        if (shard.shared()) {
            synchronized (shard) {
                shard.acknowledged(nowNs, intendedNs, sentNs);
            }
        } else {
            shard.acknowledged(nowNs, intendedNs, sentNs);
        }
    }

    /** A message was refused, or will never be answered. */
    public void failed(Throwable cause) {
        AckShard shard = acks.mine();
        synchronized (shard) {
            shard.failed.add(1);
        }
        errors.count("send", cause);
    }

    /**
     * A message has arrived.
     *
     * @param subscription the index of the subscription it arrived for
     * @param nowNs when it arrived
     * @param intendedNs when it was to be sent, or {@link #NOT_STAMPED}; a message that carries it carries the time of
     *     its sending as well
     * @param sentNs when it was sent, or {@link #NOT_STAMPED}
     */
    public void received(int subscription, long nowNs, long intendedNs, long sentNs) {
        ReceiveShard shard = receives.mine();
        if (shard.shared()) {
            synchronized (shard) {
                shard.received(subscription, nowNs, intendedNs, sentNs);
            }
        } else {
            shard.received(subscription, nowNs, intendedNs, sentNs);
        }
    }

    /** A message has arrived that this run did not send, or whose header was damaged on the way. */
    public void receivedUnknown() {
        ReceiveShard shard = receives.mine();
        synchronized (shard) {
            shard.unknown.add(1);
        }
    }

    /** The errors of sends and of the client, by kind. */
    public ErrorCounts errors() {
        return errors;
    }

    /**
     * Counts since the start of the run. They are read against the way of a message, what is counted last first: a
     * message on its way meanwhile can be missed where it has arrived, but not counted there without having been sent.
     */
    public Totals totals() {
        long[] received = new long[subscriptionCount];
        long unknown = 0;
        for (ReceiveShard shard : receives.all()) {
            for (int i = 0; i < received.length; i++) {
                received[i] += shard.received[i].get();
            }
            unknown += shard.unknown.get();
        }
        // After the arrivals: a duplicate is known to be one before it is counted as arrived.
        long[] duplicated = new long[subscriptionCount];
        for (int i = 0; i < duplicated.length; i++) {
            duplicated[i] = duplicatesOf.applyAsLong(i);
        }
        long acknowledged = 0;
        long failed = 0;
        for (AckShard shard : acks.all()) {
            acknowledged += shard.acknowledged.get();
            failed += shard.failed.get();
        }
        long sent = 0;
        for (PublishStats publisher : publishers) {
            sent += publisher.sent.get();
        }
        return new Totals(sent, acknowledged, failed, Totals.list(received), unknown, Totals.list(duplicated));
    }

    /** Ends the current period, begins the next, and returns what the ended one has seen. */
    public PeriodSnapshot sample() {
        long nowNs = clock.getAsLong();
        Totals totals = totals();
        Map<Latency, LatencyCounts> counts = readCounts();
        Map<Latency, LatencySnapshot> latencies = new EnumMap<>(Latency.class);
        counts.forEach((latency, now) -> latencies.put(latency, now.since(of(latency, lastCounts))));
        PeriodSnapshot period = new PeriodSnapshot(lastSampleNs, nowNs, totals.minus(lastTotals), totals, latencies);
        lastTotals = totals;
        lastCounts = counts;
        lastSampleNs = nowNs;
        return period;
    }

    /**
     * How long messages had waited that were due, but unsent when their load ended: of the loads that have ended since the
     * last call. Part of no period.
     */
    public LatencySnapshot takeUnsent() {
        return publishers.stream()
                .map(publisher -> publisher.unsent.take())
                .reduce(LatencySnapshot.empty(), LatencySnapshot::plus);
    }

    private Map<Latency, LatencyCounts> readCounts() {
        Map<Latency, LatencyCounts> counts = noCounts();
        for (PublishStats publisher : publishers) {
            publisher.sendDelay.addTo(of(Latency.SEND_DELAY, counts));
        }
        for (AckShard shard : acks.all()) {
            shard.publish.addTo(of(Latency.PUBLISH, counts), of(Latency.SCHEDULED_PUBLISH, counts));
        }
        for (ReceiveShard shard : receives.all()) {
            shard.endToEnd.addTo(of(Latency.END_TO_END, counts), of(Latency.SCHEDULED_END_TO_END, counts));
        }
        return counts;
    }

    private static Map<Latency, LatencyCounts> noCounts() {
        Map<Latency, LatencyCounts> counts = new EnumMap<>(Latency.class);
        for (Latency latency : Latency.values()) {
            counts.put(latency, new LatencyCounts());
        }
        return counts;
    }

    private static LatencyCounts of(Latency latency, Map<Latency, LatencyCounts> counts) {
        return Objects.requireNonNull(counts.get(latency), latency::name);
    }
}
