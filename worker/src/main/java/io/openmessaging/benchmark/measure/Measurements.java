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
 * The counts and latencies of one worker during a run.
 *
 * <p>{@link #acknowledged}, {@link #failed} and {@link #received} may be called from any thread; {@link #sample} by
 * one thread at a time.
 */
public final class Measurements {

    /** Replaces a time in messages that are too small to carry it. */
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

        /** Latencies of messages that this worker has sent itself. */
        final LatencyPair ownEndToEnd = new LatencyPair();

        /** Latencies of messages that other workers have sent. */
        final LatencyPair othersEndToEnd = new LatencyPair();

        /**
         * Number of messages from other workers that arrived before they were sent, by more than the clocks' bound.
         * For the worker's own messages, each negative latency counts.
         */
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

    /** True if latencies of the worker's own messages are also reported separately; read by the sampling thread. */
    private volatile boolean keepsControl;

    private Totals lastTotals;
    private long lastSentBytes;
    private LatencyReading lastCounts = new LatencyReading();
    private long lastSampleNs;

    /**
     * Creates empty measurements; the first period starts now.
     *
     * @param clock epoch nanoseconds
     * @param subscriptionCount number of subscriptions of each topic
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

    /**
     * Sets the function that returns how many of a subscription's arrivals were of messages that had arrived before;
     * called whenever totals are read.
     */
    public void knowDuplicates(IntToLongFunction ofSubscription) {
        duplicatesOf = ofSubscription;
    }

    /**
     * Keeps a {@linkplain PeriodSnapshot#control control sample} in each period, with the messages that this worker
     * has sent itself; for a worker that is one of several. Called before the first {@link #sample}.
     */
    public void keepControl() {
        keepsControl = true;
    }

    /** Creates measurements that also keep the data of {@link #loadSpan}: three more writes per message. */
    public static Measurements stamped(LongSupplier clock, int subscriptionCount) {
        return new Measurements(clock, subscriptionCount, true);
    }

    /** Starts a load: messages sent from now on belong to it. */
    public void beginLoad() {
        loadBeginNs.set(clock.getAsLong());
    }

    /**
     * Returns when the messages of the latest load were in flight; empty if none was sent and none has arrived since
     * it started, or if these times are not kept.
     */
    public Optional<LoadSpan> loadSpan() {
        if (!stamped) {
            return Optional.empty();
        }
        long beginNs = loadBeginNs.get();
        OptionalLong firstSent = LoadStamps.firsts(publishers, publisher -> publisher.stamps, beginNs)
                .min();
        OptionalLong lastArrived = LoadStamps.lasts(receives.all(), shard -> shard.stamps, firstSent.orElse(beginNs))
                .max();
        if (firstSent.isEmpty() && lastArrived.isEmpty()) {
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

    /** Returns the clock that times everything: epoch nanoseconds. */
    public LongSupplier clock() {
        return clock;
    }

    /** Creates the counters of another sending thread. */
    public PublishStats newPublisher() {
        PublishStats stats = new PublishStats(newStamps());
        publishers.add(stats);
        return stats;
    }

    /** Counts a message that was confirmed now. */
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

    /** Counts a message that was refused, or will never be answered. */
    public void failed(Throwable cause) {
        AckShard shard = acks.mine();
        synchronized (shard) {
            shard.failed.add(1);
        }
        errors.count("send", cause);
    }

    /**
     * Counts an arrival of a message that this worker has sent itself.
     *
     * @param subscription the index of the subscription it arrived for
     * @param nowNs when it arrived
     * @param intendedNs its intended send time, or {@link #NOT_STAMPED}; a message that carries it also carries its
     *     send time
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
     * Counts an arrival of a message that another worker has sent. Times have the meaning of {@link #received},
     * converted to this worker's clock as far as the offset of the other clock is known.
     *
     * @param boundNs the largest error of that offset
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

    /** Counts an arrival of a message that this run did not send, or whose header was damaged on the way. */
    public void receivedUnknown() {
        ReceiveShard shard = receives.mine();
        synchronized (shard) {
            shard.unknown.add(1);
        }
    }

    /** Returns the errors of sends and of the client, by kind. */
    public ErrorCounts errors() {
        return errors;
    }

    /**
     * Returns the counts since the start of the run. Counters are read in reverse order of the message path,
     * the last counted first: a message in flight during the reading may be missing from the arrivals, but never
     * counts as arrived without counting as sent.
     */
    public Totals totals() {
        return counted(publisher -> new PublishStats.Sent(publisher.sent(), 0)).totals;
    }

    /** Totals, and the total size of the messages counted as sent in them, if it was read. */
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
        // Read after the arrivals: a duplicate is recognised before it is counted as arrived.
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

    /** Ends the current period, starts the next one, and returns the ended one. */
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
     * Returns the waiting times of messages that were due but unsent at the end of their load, for the loads that have
     * ended since the last call. They are part of no period.
     */
    public LatencySnapshot takeUnsent() {
        return LatencySnapshot.sum(
                publishers.stream().map(publisher -> publisher.unsent.take()).toList());
    }

    /** One reading of all recorders. */
    private static final class LatencyReading {

        final Map<Latency, LatencyCounts> all = none(EnumSet.allOf(Latency.class));

        /** Latencies of messages that this worker has sent itself. */
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
