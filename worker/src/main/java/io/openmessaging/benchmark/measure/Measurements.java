package io.openmessaging.benchmark.measure;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one worker counts and times during a run.
 *
 * <p>{@link #acknowledged}, {@link #failed} and {@link #received} may be called from any thread; {@link #sample} by one
 * thread at a time.
 */
public final class Measurements {

    /** In place of a time that a message was too small to carry. */
    public static final long NOT_STAMPED = Long.MIN_VALUE;

    private static final class AckShard extends Shards.Shard {
        final Counter acknowledged = new Counter();
        final Counter failed = new Counter();
        final LatencyPair publish = new LatencyPair();
        final @Nullable LoadStamps stamps;

        AckShard(boolean shared, @Nullable LoadStamps stamps) {
            super(shared);
            this.stamps = stamps;
        }

        void acknowledged(long nowNs, long intendedNs, long sentNs) {
            acknowledged.add(1);
            publish.record(nowNs - sentNs, nowNs - intendedNs);
            if (stamps != null) {
                stamps.add(sentNs, nowNs);
            }
        }
    }

    private static final class ReceiveShard extends Shards.Shard {
        final Counter[] received;
        final Counter unknown = new Counter();

        /** Of messages that this worker has sent itself. */
        final LatencyPair ownEndToEnd = new LatencyPair();

        /** Of those that others have sent. */
        final LatencyPair othersEndToEnd = new LatencyPair();

        /** Of those that others have sent; an own one that comes before it was sent always is. */
        final Counter impossible = new Counter();

        final @Nullable LoadStamps stamps;

        ReceiveShard(boolean shared, int subscriptionCount, @Nullable LoadStamps stamps) {
            super(shared);
            this.stamps = stamps;
            received = new Counter[subscriptionCount];
            Arrays.setAll(received, subscription -> new Counter());
        }

        void received(LatencyPair endToEnd, int subscription, long nowNs, long intendedNs, long sentNs) {
            received[subscription].add(1);
            if (intendedNs != NOT_STAMPED) {
                endToEnd.record(nowNs - sentNs, nowNs - intendedNs);
            } else if (sentNs != NOT_STAMPED) {
                endToEnd.recordActual(nowNs - sentNs);
            }
            if (stamps != null) {
                stamps.add(sentNs, nowNs);
            }
        }

        void receivedFromOther(int subscription, long nowNs, long intendedNs, long sentNs, long boundNs) {
            received(othersEndToEnd, subscription, nowNs, intendedNs, sentNs);
            if (nowNs - sentNs < -boundNs) {
                impossible.add(1);
            }
        }
    }

    private final LongSupplier clock;
    private final int subscriptionCount;
    private final boolean stamped;
    private final List<PublishStats> publishers = new CopyOnWriteArrayList<>();
    private final Shards<AckShard> acks;
    private final Shards<ReceiveShard> receives;
    private final ErrorCounts errors = new ErrorCounts();
    private final AtomicLong loadBeginNs = new AtomicLong();
    private volatile IntToLongFunction duplicatesOf = subscription -> 0;

    /** Whether the latencies of own messages are told besides; read by the sampling thread. */
    private volatile boolean keepsControl;

    private Totals lastTotals;
    private long lastSentBytes;
    private LatencyReading lastCounts = new LatencyReading();
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
        this.stamped = stamped;
        this.acks = new Shards<>(shared -> new AckShard(shared, newStamps()));
        this.receives = new Shards<>(shared -> new ReceiveShard(shared, subscriptionCount, newStamps()));
        this.lastTotals = Totals.none(subscriptionCount);
        this.lastSampleNs = clock.getAsLong();
    }

    private @Nullable LoadStamps newStamps() {
        return stamped ? new LoadStamps(loadBeginNs) : null;
    }

    /** Who knows how many of a subscription's arrivals were of messages that had arrived before; asked with all totals. */
    public void knowDuplicates(IntToLongFunction ofSubscription) {
        duplicatesOf = ofSubscription;
    }

    /**
     * This worker is one of several: periods have a {@linkplain PeriodSnapshot#control control sample} of the messages that
     * the worker has sent itself. Called before the first {@link #sample}.
     */
    public void keepControl() {
        keepsControl = true;
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
     * When the messages of the load that began last were on their way; empty if none was sent and none has arrived since, or
     * if that is not kept.
     */
    public Optional<LoadSpan> loadSpan() {
        long beginNs = loadBeginNs.get();
        OptionalLong firstSent = LoadStamps.firsts(publishers, publisher -> publisher.stamps, beginNs)
                .min();
        OptionalLong lastArrived = LoadStamps.lasts(receives.all(), shard -> shard.stamps, firstSent.orElse(beginNs))
                .max();
        if (!stamped || (firstSent.isEmpty() && lastArrived.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new LoadSpan(
                boxed(firstSent),
                boxed(LoadStamps.lasts(publishers, publisher -> publisher.stamps, beginNs)
                        .max()),
                boxed(LoadStamps.firsts(acks.all(), shard -> shard.stamps, beginNs)
                        .min()),
                boxed(LoadStamps.lasts(acks.all(), shard -> shard.stamps, beginNs)
                        .max()),
                boxed(lastArrived)));
    }

    private static Optional<Long> boxed(OptionalLong value) {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }

    /** By which everything is timed: epoch nanoseconds. */
    public LongSupplier clock() {
        return clock;
    }

    /** The counters of one more sending thread. */
    public PublishStats newPublisher() {
        PublishStats stats = new PublishStats(newStamps());
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
     * A message has arrived that this worker has sent itself.
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
                shard.received(shard.ownEndToEnd, subscription, nowNs, intendedNs, sentNs);
            }
        } else {
            shard.received(shard.ownEndToEnd, subscription, nowNs, intendedNs, sentNs);
        }
    }

    /**
     * A message has arrived that another worker has sent. Its times are those of {@link #received}, in this worker's clock
     * as far as it is known how far the other clock is from it.
     *
     * @param boundNs by how much that can be wrong
     */
    public void receivedFromOther(int subscription, long nowNs, long intendedNs, long sentNs, long boundNs) {
        ReceiveShard shard = receives.mine();
        if (shard.shared()) {
            synchronized (shard) {
                shard.receivedFromOther(subscription, nowNs, intendedNs, sentNs, boundNs);
            }
        } else {
            shard.receivedFromOther(subscription, nowNs, intendedNs, sentNs, boundNs);
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
        return counted(publisher -> new PublishStats.Sent(publisher.sent(), 0)).totals;
    }

    /** Totals, and the bytes of the messages that are sent in them, as far as these were read. */
    private record Counted(Totals totals, long sentBytes) {}

    private Counted counted(Function<PublishStats, PublishStats.Sent> sentBy) {
        long[] received = new long[subscriptionCount];
        long unknown = 0;
        long impossible = 0;
        for (ReceiveShard shard : receives.all()) {
            for (int i = 0; i < received.length; i++) {
                received[i] += shard.received[i].get();
            }
            unknown += shard.unknown.get();
            impossible += shard.ownEndToEnd.negativeCount() + shard.impossible.get();
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
        long sentBytes = 0;
        for (PublishStats publisher : publishers) {
            PublishStats.Sent now = sentBy.apply(publisher);
            sent += now.messages();
            sentBytes += now.bytes();
        }
        return new Counted(
                new Totals(
                        sent,
                        acknowledged,
                        failed,
                        Totals.list(received),
                        unknown,
                        Totals.list(duplicated),
                        impossible),
                sentBytes);
    }

    /** Ends the current period, begins the next, and returns what the ended one has seen. */
    public PeriodSnapshot sample() {
        long nowNs = clock.getAsLong();
        Counted counted = counted(PublishStats::messagesAndBytes);
        Totals totals = counted.totals;
        LatencyReading counts = readCounts();
        PeriodSnapshot period = new PeriodSnapshot(
                List.of(new PeriodSnapshot.Share(
                        lastSampleNs,
                        nowNs,
                        totals.minus(lastTotals),
                        CompressedLatencies.NONE,
                        counted.sentBytes - lastSentBytes)),
                totals,
                since(counts.all, lastCounts.all),
                keepsControl ? since(counts.control, lastCounts.control) : Map.of());
        lastTotals = totals;
        lastSentBytes = counted.sentBytes;
        lastCounts = counts;
        lastSampleNs = nowNs;
        return period;
    }

    /**
     * How long messages had waited that were due, but unsent when their load ended: of the loads that have ended since the
     * last call. Part of no period.
     */
    public LatencySnapshot takeUnsent() {
        return LatencySnapshot.sum(
                publishers.stream().map(publisher -> publisher.unsent.take()).toList());
    }

    /** What is read off all recorders at a time. */
    private static final class LatencyReading {

        final Map<Latency, LatencyCounts> all = none(EnumSet.allOf(Latency.class));

        /** Of messages that this worker has sent itself. */
        final Map<Latency, LatencyCounts> control = none(EnumSet.of(Latency.END_TO_END, Latency.SCHEDULED_END_TO_END));

        private static Map<Latency, LatencyCounts> none(Set<Latency> kinds) {
            Map<Latency, LatencyCounts> counts = new EnumMap<>(Latency.class);
            kinds.forEach(kind -> counts.put(kind, new LatencyCounts()));
            return counts;
        }
    }

    private LatencyReading readCounts() {
        LatencyReading counts = new LatencyReading();
        for (PublishStats publisher : publishers) {
            publisher.sendDelay.addTo(of(Latency.SEND_DELAY, counts.all));
        }
        for (AckShard shard : acks.all()) {
            shard.publish.addTo(of(Latency.PUBLISH, counts.all), of(Latency.SCHEDULED_PUBLISH, counts.all));
        }
        for (ReceiveShard shard : receives.all()) {
            addEndToEnd(shard.ownEndToEnd, counts.control);
            addEndToEnd(shard.othersEndToEnd, counts.all);
        }
        counts.control.forEach((latency, own) -> of(latency, counts.all).add(own));
        return counts;
    }

    private static void addEndToEnd(LatencyPair latencies, Map<Latency, LatencyCounts> counts) {
        latencies.addTo(of(Latency.END_TO_END, counts), of(Latency.SCHEDULED_END_TO_END, counts));
    }

    private static Map<Latency, LatencySnapshot> since(
            Map<Latency, LatencyCounts> now, Map<Latency, LatencyCounts> earlier) {
        Map<Latency, LatencySnapshot> since = new EnumMap<>(Latency.class);
        now.forEach((latency, counts) -> since.put(latency, counts.since(of(latency, earlier))));
        return since;
    }

    private static LatencyCounts of(Latency latency, Map<Latency, LatencyCounts> counts) {
        return Objects.requireNonNull(counts.get(latency), latency::name);
    }
}
