package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A worker without threads whose system is computed in virtual time: it confirms messages at a given rate, each some
 * time after it was sent, and delivers them to each subscription at a given rate. The client accepts {@link #WINDOW}
 * messages more than are confirmed, then it blocks. There are one topic and one producer.
 */
public final class ModelWorker implements Worker {

    /** Number of messages that the client holds unless a test sets another one. */
    static final double WINDOW = 1000;

    private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    /** No caller looks less often than every ten minutes, so no older history is needed. */
    private static final long LONGEST_LOOK_NS = 600_000_000_000L;

    /** Errors that methods of the worker throw, by the name of the method. */
    private final Map<String, Throwable> faults = new HashMap<>();

    private final List<String> calls = new ArrayList<>();
    private final List<Start> loads = new ArrayList<>();
    private final VirtualTime time;
    private final Map<Integer, Double> deliveriesPerSecond = new HashMap<>();
    private final Map<Integer, Long> lost = new HashMap<>();
    private final Map<Integer, Long> repeated = new HashMap<>();
    private List<String> nodes = List.of("model.example:1");
    private List<List<String>> leaders = List.of();
    private final Set<Integer> doubled = new HashSet<>();
    private final Map<Integer, Long> batchNs = new HashMap<>();
    private final Map<Integer, Long> batchMessages = new HashMap<>();
    private @Nullable Random noise;
    private long noiseNs;
    private double window = WINDOW;
    private DoubleUnaryOperator confirmationsPerSecond = seconds -> NO_LIMIT;
    private long latencyNs;
    private double failed;
    private double lossBeyondMsgPerSec = NO_LIMIT;
    private double lossPart;
    private double lostBeyond;
    private ResourcePeriod used = ResourcePeriod.NONE;
    private double usedCores;
    private @Nullable String failure;
    private List<Lost> lostWorkers = List.of();
    private @Nullable String probeError;
    private Runnable onStart = () -> {};
    private long orderNs;
    private boolean timed;
    private final Map<Latency, Samples> latencies = new HashMap<>();

    private @Nullable RunDescription run;
    private @Nullable Start load;
    private final BitSet probes = new BitSet();
    private int probeSeries;
    private boolean connectingResets;
    private int silentProbeRounds;
    private int lateProbes;
    private long lateProbeNs = 1;
    private long probesReadyNs;
    private double loadStartSent;
    private long loadStartNs;
    private RateProfile rates = RateProfile.steady(0);
    private double dueBefore;
    private long searchEnd = -1;
    private long ratesFromNs;
    private long lastSendNs;
    private long firstConfirmationNs;
    private long lastConfirmationNs;
    private long lastArrivalNs;
    private int producers;
    private int consumers;
    private DoubleUnaryOperator endToEndMs = rate -> 0;
    private long advancedToNs;
    private double sent;
    private double confirmed;
    private double[] received = new double[0];
    private double[] handedOver = new double[0];
    private boolean paused;
    private final TreeMap<Long, Double> sentUntil = new TreeMap<>();
    private LatencySnapshot unsent = LatencySnapshot.empty();
    private @Nullable Period lastPeriod;
    private @Nullable AuditPart finished;
    private Totals lastTotals = Totals.none(0);
    private long lastSampleNs;

    public ModelWorker(VirtualTime time) {
        this.time = time;
        this.advancedToNs = time.nowNs();
        this.lastSampleNs = time.nowNs();
        sentUntil.put(advancedToNs, 0.0);
    }

    /** Sets the addresses of the nodes that the system reports. */
    public void setNodes(String... addresses) {
        nodes = List.of(addresses);
    }

    /** Makes the system one whose topics may go when a process connects. */
    void setConnectingResets() {
        connectingResets = true;
    }

    /** Sets the node that leads each partition, topic by topic. */
    void setLeaders(List<List<String>> ofTopics) {
        leaders = ofTopics;
    }

    /** Sets the most messages that the system confirms per second. */
    public void setCapacity(double messagesPerSecond) {
        setCapacity(seconds -> messagesPerSecond);
    }

    /** Sets the most messages that the system confirms per second, as a function of the seconds since time 0. */
    void setCapacity(DoubleUnaryOperator messagesPerSecond) {
        advance();
        confirmationsPerSecond = messagesPerSecond;
    }

    /** Sets how many messages the client holds. */
    public void setWindow(double messages) {
        window = messages;
    }

    /** Sets the most messages per second that a subscription receives. */
    public void setDelivery(int subscription, double messagesPerSecond) {
        deliveriesPerSecond.put(subscription, messagesPerSecond);
    }

    /** Makes this many messages never arrive at a subscription. */
    public void lose(int subscription, long messages) {
        lost.put(subscription, messages);
    }

    /** Makes a part of the messages never arrive at any subscription while more than these are sent a second. */
    void loseBeyond(double messagesPerSecond, double part) {
        lossBeyondMsgPerSec = messagesPerSecond;
        lossPart = part;
    }

    /** Makes this many of the first messages arrive twice from now on; nobody notices before the audit. */
    public void repeat(int subscription, long messages) {
        repeated.put(subscription, messages);
    }

    /** Delivers each message to a subscription twice, one right after the other; the delivery rate counts both. */
    public void deliverTwice(int subscription) {
        doubled.add(subscription);
    }

    /** Sets how much later than it was sent each message is confirmed. */
    public void setLatencyNs(long latencyNs) {
        this.latencyNs = latencyNs;
    }

    /** Delays confirmations by up to {@code mostNs} more, at random. */
    public void setNoise(Random random, long mostNs) {
        noise = random;
        noiseNs = mostNs;
    }

    /** Delivers the messages of a subscription in batches, one per interval. */
    public void setBatchNs(int subscription, long everyNs) {
        batchNs.put(subscription, everyNs);
    }

    /** Delivers the messages of a subscription in batches of this many, while messages are sent. */
    public void setBatchMessages(int subscription, long messages) {
        batchMessages.put(subscription, messages);
    }

    /** Sets the time that messages take to arrive, in ms, as a function of the confirmed messages per second. */
    public void setEndToEndMs(DoubleUnaryOperator msAtRate) {
        endToEndMs = msAtRate;
    }

    /** Sets an action to run whenever a load starts. */
    public void onStart(Runnable action) {
        onStart = action;
    }

    /**
     * From now on, samples contain the latencies from the intended send time, and the send delay, as one steady rate
     * gives them.
     */
    public void timeMessages() {
        timed = true;
    }

    private void time(Latency latency, double countBefore, double countNow, long nowNs) {
        long count = whole(countNow) - whole(countBefore);
        double dueNs = ratesFromNs + (countNow - dueBefore) / rates.lastMsgPerSec() * 1e9;
        if (timed && count > 0) {
            latencies.computeIfAbsent(latency, l -> new Samples()).add(Math.max(0, nowNs - (long) dueNs), count);
        }
    }

    public int producers() {
        return producers;
    }

    public int consumers() {
        return consumers;
    }

    /** Sets how long it takes until a load starts, or other rates apply, as with several workers. */
    public void setOrderTime(Duration time) {
        orderNs = time.toNanos();
    }

    /** Sets the resources that the worker's process reports for each period. */
    void setUsed(ResourcePeriod resources) {
        used = resources;
    }

    /** Sets how many processors the harness uses. */
    public void setUsedCores(double cores) {
        usedCores = cores;
    }

    /** Refuses this many messages after they were sent. */
    public void refuse(double messages) {
        advance();
        failed += messages;
    }

    /** Sets how many rounds of probes do not arrive. */
    public void setSilentProbeRounds(int rounds) {
        silentProbeRounds = rounds;
    }

    /** Leaves this many probes in flight when all paths are open; they arrive one after the other. */
    public void setLateProbes(int count, Duration each) {
        lateProbes = count;
        lateProbeNs = each.toNanos();
    }

    /** Makes a method of the worker throw. */
    public void failIn(String method, Throwable cause) {
        faults.put(method, cause);
    }

    /** Makes the worker unable to continue, from now on. */
    public void failNow(String sentence) {
        failure = sentence;
    }

    /** Reports a worker as lost, from now on. */
    public void loseNow(Lost worker) {
        lostWorkers = List.of(worker);
    }

    /** Sets the reason that probes fail. */
    public void failProbes(String sentence) {
        probeError = sentence;
    }

    /** The called methods, except those that only read. */
    public List<String> calls() {
        return calls;
    }

    /** The loads that were started, in order. */
    public List<Start> loads() {
        return loads;
    }

    /** Returns whether messages are being sent. */
    public boolean loadIsOn() {
        return load != null;
    }

    private void called(String method) throws DriverException, InterruptedException {
        calls.add(method);
        Throwable fault = faults.get(method);
        if (fault instanceof DriverException cause) {
            throw cause;
        }
        if (fault instanceof InterruptedException cause) {
            throw cause;
        }
        if (fault instanceof RuntimeException cause) {
            throw cause;
        }
        if (fault instanceof Error cause) {
            throw cause;
        }
    }

    /** Advances the counts to the present. */
    private void advance() {
        long nowNs = time.nowNs();
        double seconds = (nowNs - advancedToNs) / 1e9;
        if (seconds <= 0) {
            return;
        }
        long beforeNs = advancedToNs;
        advancedToNs = nowNs;
        double sinceStart = time.passed().toNanos() / 1e9;
        double couldConfirm =
                confirmed + perSecond(confirmationsPerSecond.applyAsDouble(sinceStart - seconds / 2), seconds);
        if (load != null) {
            double due = dueBefore + rates.messagesIn((nowNs - ratesFromNs) / 1e9);
            double quota = load.messageCount() == Long.MAX_VALUE ? NO_LIMIT : loadStartSent + load.messageCount();
            double sentNow = Math.max(sent, Math.min(Math.min(due, quota), couldConfirm + window));
            time(Latency.SEND_DELAY, sent, sentNow, nowNs);
            lastSendNs = sentNow > sent ? nowNs : lastSendNs;
            sent = sentNow;
        }
        sentUntil.put(nowNs, sent);
        sentUntil.headMap(nowNs - 2 * latencyNs - LONGEST_LOOK_NS).clear();
        long takesNs = latencyNs + (noise == null ? 0 : (long) (noise.nextDouble() * noiseNs));
        double confirmedNow = Math.max(confirmed, Math.min(sentAt(nowNs - takesNs), couldConfirm));
        if (confirmedNow > confirmed) {
            firstConfirmationNs = lastConfirmationNs <= loadStartNs ? nowNs : firstConfirmationNs;
            lastConfirmationNs = nowNs;
        }
        time(Latency.SCHEDULED_PUBLISH, confirmed, confirmedNow, nowNs);
        lostBeyond += rates.lastMsgPerSec() > lossBeyondMsgPerSec ? lossPart * (confirmedNow - confirmed) : 0;
        confirmed = confirmedNow;
        for (int i = 0; i < received.length && !paused; i++) {
            double deliveries = perSecond(deliveriesPerSecond.getOrDefault(i, NO_LIMIT), seconds);
            double couldReceive = received[i] + deliveries / (doubled.contains(i) ? 2 : 1);
            double toReceive = confirmed - failed - lost.getOrDefault(i, 0L) - Math.floor(lostBeyond);
            double receivedNow = Math.max(received[i], Math.min(toReceive, couldReceive));
            lastArrivalNs = receivedNow > received[i] ? nowNs : lastArrivalNs;
            received[i] = receivedNow;
            double handedOverBefore = handedOver[i];
            handOver(i, beforeNs, nowNs);
            time(Latency.SCHEDULED_END_TO_END, handedOverBefore, handedOver[i], nowNs);
        }
    }

    private void handOver(int subscription, long beforeNs, long nowNs) {
        long everyNs = batchNs.getOrDefault(subscription, 1L);
        long batch = batchMessages.getOrDefault(subscription, 1L);
        if (batch > 1 && load != null) {
            handedOver[subscription] =
                    Math.max(handedOver[subscription], batch * Math.floor(received[subscription] / batch));
        } else if (nowNs / everyNs > beforeNs / everyNs) {
            handedOver[subscription] = received[subscription];
        }
    }

    private static double perSecond(double rate, double seconds) {
        return rate == NO_LIMIT ? NO_LIMIT : rate * seconds;
    }

    private double sentAt(long atNs) {
        Map.Entry<Long, Double> before = sentUntil.floorEntry(atNs);
        Map.Entry<Long, Double> after = sentUntil.ceilingEntry(atNs);
        if (before == null || after == null) {
            return before == null ? 0 : before.getValue();
        }
        long spanNs = after.getKey() - before.getKey();
        double part = spanNs == 0 ? 0 : (double) (atNs - before.getKey()) / spanNs;
        return before.getValue() + part * (after.getValue() - before.getValue());
    }

    private static long whole(double messages) {
        return (long) Math.floor(messages + 1e-6);
    }

    /** The description of the run that the worker received. */
    public RunDescription run() {
        if (run == null) {
            throw new IllegalStateException("not prepared");
        }
        return run;
    }

    /** The coordinator's own connection to the system. */
    public SystemControl control() {
        return new SystemControl() {
            @Override
            public boolean connectingResets() {
                return connectingResets;
            }

            @Override
            public BrokerDescription connect(String runId, Duration timeout, Consumer<String> waits)
                    throws DriverException, InterruptedException {
                called("connect");
                return new BrokerDescription("Model", "1", nodes, Map.of());
            }

            @Override
            public void createTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
                called("createTopics");
            }

            @Override
            public List<List<String>> leaders(List<TopicSpec> topics) throws DriverException, InterruptedException {
                called("leaders");
                return leaders;
            }

            @Override
            public Optional<Reading> read(List<ConsumerSpec> readers) throws DriverException, InterruptedException {
                called("read");
                return Optional.empty();
            }

            @Override
            public void deleteTopics(List<TopicSpec> topics) throws DriverException, InterruptedException {
                called("deleteTopics");
            }

            @Override
            public void close() throws DriverException {
                closed("disconnect");
            }
        };
    }

    @Override
    public Prepared prepare(Prepare request) throws DriverException, InterruptedException {
        called("prepare");
        if (run == null) {
            run = request.run();
            received = new double[run.topology().subscriptionCount()];
            handedOver = new double[received.length];
            lastTotals = Totals.none(received.length);
        }
        Topology topology = run.topology();
        producers = topology.topicCount() * request.producersPerTopic();
        consumers = topology.topicCount() * topology.subscriptionCount() * request.consumersPerSubscription();
        WorkerMachine machine = new WorkerMachine(
                "worker 1 (model)", WorkerHost.here(), new WorkerMachine.Jvm("", List.of(), 0), 2, null, null);
        return new Prepared(List.of(machine), List.of(run.placement()));
    }

    @Override
    public Probed probe(Probe request) throws DriverException, InterruptedException {
        if (request.series() > probeSeries) {
            probeSeries = request.series();
            probes.clear();
        }
        if (request.arrived() != null) {
            called("probe");
            if (silentProbeRounds-- <= 0) {
                openWays();
                probesReadyNs = time.nowNs();
            }
        }
        long onTheirWay = Math.max(0, lateProbes - (time.nowNs() - probesReadyNs) / lateProbeNs);
        return new Probed((BitSet) probes.clone(), onTheirWay, probeError);
    }

    /** After the load, a subscription without deliveries receives no probes either. */
    private void openWays() {
        Topology topology = run().topology();
        for (int way = 0; way < topology.probeCount(); way++) {
            int subscription = way / topology.partitions() % topology.subscriptionCount();
            Double delivered = deliveriesPerSecond.get(subscription);
            if (probeSeries == 1 || delivered == null || delivered > 0) {
                probes.set(way);
            }
        }
    }

    @Override
    public long start(Start request) throws DriverException, InterruptedException {
        if (load != null) {
            throw new IllegalStateException("the load is on already");
        }
        onStart.run();
        advance();
        called("start");
        time.sleep(orderNs);
        advance();
        loads.add(request);
        load = request;
        loadStartSent = sent;
        loadStartNs = time.nowNs();
        lastArrivalNs = loadStartNs;
        dueBefore = sent;
        rates = request.rates();
        ratesFromNs = loadStartNs;
        return loadStartNs;
    }

    @Override
    public void change(Change request) throws DriverException, InterruptedException {
        advance();
        called("change");
        time.sleep(orderNs);
        advance();
        dueBefore += rates.messagesIn((time.nowNs() - ratesFromNs) / 1e9);
        rates = request.rates();
        ratesFromNs = time.nowNs();
    }

    private @Nullable LoadSpan span() {
        return run().clients().keepsSpan() && sent > loadStartSent
                ? new LoadSpan(
                        Optional.of(loadStartNs),
                        Optional.of(lastSendNs),
                        Optional.of(firstConfirmationNs),
                        Optional.of(lastConfirmationNs),
                        Optional.of(lastArrivalNs))
                : null;
    }

    @Override
    public void consume(boolean delivered) throws DriverException, InterruptedException {
        called(delivered ? "resume" : "pause");
        advance();
        paused = !delivered;
    }

    @Override
    public Status status(List<Offset> clocks) {
        if (!clocks.isEmpty()) {
            throw new IllegalStateException("the only worker has nobody to compare its clock with");
        }
        Totals totals = totals();
        return new Status(
                totals,
                new LatestLoad(load == null || sent >= loadStartSent + load.messageCount() - 1e-6, span(), Map.of()),
                failed == 0 ? Map.of() : Map.of("send: refused", whole(failed)),
                List.of(new HarnessUsage(
                        time.nowNs(), (long) (usedCores * time.passed().toNanos()), 0, 0, 2)),
                lostWorkers,
                failure == null ? null : new Failure(time.nowNs(), failure));
    }

    public Totals totals() {
        advance();
        List<Long> counts = new ArrayList<>();
        List<Long> again = new ArrayList<>();
        for (int i = 0; i < received.length; i++) {
            long cameTwice = doubled.contains(i) ? whole(handedOver[i]) : 0;
            counts.add(whole(handedOver[i]) + cameTwice + repeated.getOrDefault(i, 0L));
            again.add(cameTwice);
        }
        long acknowledged = Math.max(0, whole(confirmed) - whole(failed));
        return new Totals(whole(sent), acknowledged, whole(failed), counts, 0, again, 0);
    }

    /** Reports messages that were due and unsent as if all of them had waited as long as the oldest. */
    @Override
    public Period period(int number) {
        if (lastPeriod == null || number != lastPeriod.number()) {
            lastPeriod = new Period(number, sample(), List.of(unsent), used);
            unsent = LatencySnapshot.empty();
        }
        return lastPeriod;
    }

    private PeriodSnapshot sample() {
        Totals totals = totals();
        long nowNs = time.nowNs();
        Map<Latency, LatencySnapshot> seen = new HashMap<>();
        latencies.forEach((latency, samples) -> seen.put(latency, samples.snapshot()));
        latencies.clear();
        Totals counts = totals.minus(lastTotals);
        if (counts.receivedByAll() > 0) {
            double rate = counts.acknowledged() / ((nowNs - lastSampleNs) / 1e9);
            double latencyMs = endToEndMs.applyAsDouble(rate);
            if (latencyMs > 0) {
                seen.put(Latency.END_TO_END, snapshot((long) (latencyMs * 1e6), counts.receivedByAll()));
            }
        }
        PeriodSnapshot period = new PeriodSnapshot(lastSampleNs, nowNs, counts, totals, seen);
        lastTotals = totals;
        lastSampleNs = nowNs;
        return period;
    }

    /** Latencies and their sum: computing the mean of a histogram takes much longer than adding to a sum. */
    private static final class Samples {

        private final Histogram histogram = new Histogram(3);
        private double sumNs;

        Samples() {
            histogram.setAutoResize(true);
        }

        void add(long latencyNs, long count) {
            histogram.recordValueWithCount(latencyNs, count);
            sumNs += (double) latencyNs * count;
        }

        LatencySnapshot snapshot() {
            return new LatencySnapshot(histogram, sumNs, 0, 0);
        }
    }

    private static LatencySnapshot snapshot(long latencyNs, long count) {
        Samples samples = new Samples();
        samples.add(latencyNs, count);
        return samples.snapshot();
    }

    @Override
    public Marks stop(Stop request) throws DriverException, InterruptedException {
        advance();
        if (load != null && rates.lastMsgPerSec() != NO_LIMIT) {
            double due = dueBefore + rates.messagesIn((time.nowNs() - ratesFromNs) / 1e9);
            long left = whole(Math.min(due, loadStartSent + load.messageCount()) - sent);
            unsent = left > 0
                    ? unsent.plus(LatencySnapshot.of((long) (left / rates.lastMsgPerSec() * 1e9), left))
                    : unsent;
        }
        load = null;
        called(request.searchEnds() ? "stopSearch" : "stop");
        return new Marks(request.searchEnds() ? Map.of(0, whole(sent)) : Map.of());
    }

    @Override
    public void endSearch(Marks marks) {
        searchEnd = Objects.requireNonNull(marks.sequences().get(0), "the producer's mark");
    }

    @Override
    public AuditPart finish() throws DriverException, InterruptedException {
        called("finish");
        if (finished == null) {
            advance();
            confirmed = sent;
            finished = run().messages().layout() == MessageHeader.Layout.NONE
                    ? new AuditPart(List.of(), List.of())
                    : audited();
        }
        return finished;
    }

    /** The last messages are the refused ones, the first ones are those that get lost. */
    private AuditPart audited() {
        List<AuditPart.ArrivalCounts> arrivals = new ArrayList<>();
        for (int i = 0; i < received.length; i++) {
            arrivals.add(AuditFixture.arrivals(
                    run().topology().topic(0).name(),
                    i,
                    lost.getOrDefault(i, 0L) + (long) lostBeyond,
                    whole(received[i]),
                    repeated.getOrDefault(i, 0L)));
        }
        return new AuditPart(
                List.of(AuditFixture.dispatches(whole(sent), Math.max(0, searchEnd), whole(failed))), arrivals);
    }

    @Override
    public void close() throws DriverException {
        closed("close");
    }

    private void closed(String method) throws DriverException {
        try {
            called(method);
        } catch (InterruptedException e) {
            throw new IllegalArgumentException("closing is not interrupted", e);
        }
    }
}
