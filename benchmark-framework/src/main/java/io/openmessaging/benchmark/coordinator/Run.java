package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.AbortRules;
import io.openmessaging.benchmark.config.StepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadChecks;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.worker.ClientOptions;
import io.openmessaging.benchmark.worker.LoadPlan;
import io.openmessaging.benchmark.worker.Topology;
import io.openmessaging.benchmark.worker.Worker;
import io.openmessaging.benchmark.worker.WorkerPlan;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a workload against a system, from provisioning to the audit. Used once, on one thread.
 *
 * <p>Whatever happens, {@link #execute()} returns a result: with the figures measured until then, and the verdict that
 * says how it ended. The first error is the run's failure; what goes wrong while cleaning up after it is only logged.
 */
public final class Run {

    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    /** After the user's wish to stop, messages on their way get this long without any movement. */
    private static final Duration QUIET_WHEN_STOPPED = Duration.ofSeconds(2);

    /**
     * When everything seems to have arrived, as long as this nothing more may come: a message that came twice stands in
     * for one that is still on its way.
     */
    private static final Duration CALM = Duration.ofMillis(100);

    private static final Duration LOOK = Duration.ofMillis(10);

    private final RunRequest request;
    private final Workload workload;
    private final Worker worker;
    private final StopSignal stop;
    private final RunListener listener;
    private final LongSupplier clock;
    private final Topology topology;
    private final MessageHeader.Layout layout;
    private final Judge judge = new Judge();
    private final Recording recording;
    private final Observer observer;
    private final LoadPhases load;
    private final LoadEnd loadEnd;
    private final Time time;
    private final long beginNs;
    private boolean clientsClosed;

    /** Whether nothing more would have arrived when the drain ended. */
    private boolean settled;

    private @Nullable BrokerDescription broker;
    private @Nullable String failure;
    private @Nullable AuditReport audit;
    private @Nullable AuditReport auditOfSearch;
    private RunResult.@Nullable Tail tail;
    private @Nullable HarnessUsage usage;
    private Map<String, Long> errors = Map.of();

    /**
     * A run that has not begun.
     *
     * @param request what to run
     * @param worker with which; not closed by the run's creator but by the run
     * @param stop the user's wish to stop
     * @param listener told how it goes on
     * @param clock epoch nanoseconds
     */
    public Run(RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock) {
        this(request, worker, stop, listener, clock, Time.real());
    }

    Run(RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock, Time time) {
        this.request = request;
        this.workload = request.workload().workload();
        this.worker = worker;
        this.stop = stop;
        this.listener = listener;
        this.clock = clock;
        this.time = time;
        this.beginNs = clock.getAsLong();
        this.topology = Topology.of(
                request.runId(),
                workload.topics(),
                workload.partitionsPerTopic(),
                workload.producersPerTopic(),
                workload.hasConsumers() ? workload.subscriptionsPerTopic() : 0,
                workload.consumerPerSubscription());
        this.layout = layout(workload);
        this.recording = new Recording(clock, listener, request.monitor());
        this.observer = new Observer(worker, stop, listener, recording, request, time);
        this.load = new LoadPhases(request, topology, worker, observer, recording, listener, stop, judge, time);
        this.loadEnd = new LoadEnd(worker, clock);
    }

    private static MessageHeader.Layout layout(Workload workload) {
        return MessageHeader.Layout.of(
                workload.smallestMessageBytes(), workload.topics() * workload.producersPerTopic());
    }

    /** How many bytes of each message of a workload are not its content: the header, and checksums if it has any. */
    public static int headerBytes(Workload workload) {
        return workload.verifyPayloads() ? PayloadChecks.END : layout(workload).bytes();
    }

    /** Goes through all phases. */
    public RunResult execute() {
        boolean provisioned = false;
        try {
            provision();
            provisioned = true;
            putOnLoad();
        } catch (InterruptedException e) {
            stop.request();
        } catch (RunFailedException | DriverException | RuntimeException | Error e) {
            fail(e);
        }
        if (provisioned) {
            windDown();
        }
        cleanUp();
        recording.endPhase();
        return result();
    }

    /** An error of the client is a consequence, not the cause, once the broker that was started for it is dead. */
    private void fail(Throwable e) {
        LOG.error("The run failed", e);
        boolean expected = e instanceof RunFailedException || e instanceof DriverException;
        String sentence = expected && e.getMessage() != null ? e.getMessage() : "unexpected error: " + e;
        failure = request.brokerFailure().get().orElse(sentence);
    }

    /** The calls to the system know nothing of the stop signal: meanwhile it interrupts this thread. */
    private void provision() throws DriverException, InterruptedException, RunFailedException {
        observer.throwIfFailed();
        WorkerPlan plan = new WorkerPlan(
                request.runId(),
                request.runId().hashCode() | 1,
                topology,
                layout,
                request.limits().controlCall(),
                clientOptions());
        Provisioning provisioning = new Provisioning(worker, plan, time);
        stop.interruptFrom();
        try {
            broker = provisioning.connect();
            provisioning.create(
                    StepPlan.first(workload.producerSteps(), workload.producersPerTopic()),
                    StepPlan.first(workload.consumerSteps(), workload.consumerPerSubscription()));
            recording.begin(RunPhase.READY);
            provisioning.awaitReady(request.limits().readiness(), observer);
        } finally {
            stop.noInterrupts();
        }
    }

    private ClientOptions clientOptions() {
        Duration delay = workload.consumerDelay();
        return new ClientOptions(
                workload.inFlightLimit() == null ? OptionalInt.empty() : OptionalInt.of(workload.inFlightLimit()),
                delay == null ? Duration.ZERO : delay,
                workload.messageCount() != null,
                workload.verifyPayloads());
    }

    private void putOnLoad() throws InterruptedException, RunFailedException, DriverException {
        if (!load.warmUp() || !load.searchForRate()) {
            return;
        }
        try {
            load.measure();
        } finally {
            usage = load.usage();
        }
    }

    private void windDown() {
        loadEnd.begin();
        attempt(worker::stopLoad);
        listener.load(0);
        recording.begin(RunPhase.DRAIN);
        if (failure == null) {
            attempt(this::drain);
        }
        attempt(loadEnd::waitEnded);
        recording.begin(RunPhase.AUDIT);
        attempt(this::compare);
        // The load that a sweep ends with is not the one whose figures are reported.
        if (!recording.measured().isEmpty() && workload.rateSweep() == null) {
            int copies = layout == MessageHeader.Layout.FULL ? topology.subscriptionCount() : 0;
            attempt(() -> tail = loadEnd.tail(copies, audit));
        }
    }

    /** Something to be done although something before it may have failed. */
    private interface Step {
        void execute() throws RunFailedException, DriverException, InterruptedException;
    }

    private void attempt(Step step) {
        try {
            step.execute();
        } catch (InterruptedException e) {
            stop.request();
        } catch (RunFailedException | DriverException | RuntimeException | Error e) {
            if (failure == null) {
                fail(e);
            } else {
                LOG.warn("After the run had failed", e);
            }
        }
    }

    /** Lets messages on their way arrive, so that the audit can tell lost from late. */
    private void drain() throws InterruptedException, RunFailedException {
        Limits limits = request.limits();
        boolean hurried = stop.requested() && QUIET_WHEN_STOPPED.compareTo(limits.quiet()) < 0;
        Duration quiet = load.gaveUp() ? CALM : hurried ? QUIET_WHEN_STOPPED : limits.quiet();
        long beginNs = time.nowNs();
        Observer.End end = observer.waitInAnyCase(limits.drain(), LOOK, quiet, load::allHasArrived);
        Observer.End last = end;
        if (end == Observer.End.DONE) {
            Duration left = limits.drain().minusNanos(time.nowNs() - beginNs);
            last = observer.waitInAnyCase(left, LOOK, cameTwice(worker.totals()) ? quiet : CALM, totals -> false);
        }
        settled = last == Observer.End.STALLED && !hurried;
        // Without a header nothing but the count can tell that messages are missing: there is no audit.
        boolean unaudited = layout == MessageHeader.Layout.NONE
                && load.sinceSearch(worker.totals()).largestBacklog() > 0;
        if ((end == Observer.End.TIME_UP || unaudited) && !load.wentBeyond()) {
            judge.note(Finding.consumersBehind(
                    load.sinceSearch(worker.totals()).largestBacklog(),
                    String.format(
                            Locale.ROOT,
                            "at the slowest subscription %.0f s after the load had ended",
                            (time.nowNs() - beginNs) / 1e9)));
        }
    }

    private static boolean cameTwice(Totals totals) {
        return totals.received().stream().anyMatch(received -> received > totals.sent() - totals.failed());
    }

    /** Compares what was sent with what has arrived. */
    private void compare() throws DriverException {
        try {
            clientsClosed = true;
            audit(worker.closeClients());
        } finally {
            errors = worker.errors();
            boolean expected = load.breach()
                            .filter(breach -> breach.rule().equals(AbortRules.PUBLISH_ERROR_RATIO))
                            .isPresent()
                    || load.wentBeyond();
            Totals totals = worker.totals();
            listener.errors(errors);
            listener.tick(recording.current(), Optional.empty(), totals);
            judge.judgeErrors(totals, errors, expected ? Finding.Severity.NOTE : Finding.Severity.INVALIDATES);
        }
    }

    private void audit(AuditPart part) {
        if (layout == MessageHeader.Layout.NONE) {
            return;
        }
        List<AuditPart> parts = List.of(part);
        AuditReport report =
                AuditReport.of(parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd());
        audit = report;
        judge.judgeAudit(report, load.wentBeyond());
        if (load.search() != null) {
            auditOfSearch =
                    AuditReport.ofSearch(parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd());
            judge.judgeAuditOfSearch(auditOfSearch);
        }
    }

    private AuditReport.WaitEnd waitEnd() {
        if (settled) {
            return AuditReport.WaitEnd.SETTLED;
        }
        return topology.partitions() == 1 && topology.consumersPerSubscription() == 1
                ? AuditReport.WaitEnd.CUT_IN_ORDER
                : AuditReport.WaitEnd.CUT;
    }

    /** Gives back what the run has taken from the system, as far as it got; errors are only logged. */
    private void cleanUp() {
        if (broker != null) {
            closeClients();
            deleteTopics();
        }
        try {
            worker.close();
        } catch (DriverException | RuntimeException | Error e) {
            LOG.warn("The connection could not be closed", e);
        }
    }

    /** Before their topics are deleted: a client that still asks for a topic may bring it back. */
    private void closeClients() {
        try {
            if (!clientsClosed) {
                worker.closeClients();
            }
        } catch (DriverException | RuntimeException | Error e) {
            LOG.warn("Producers and consumers could not be closed", e);
        }
    }

    private void deleteTopics() {
        try {
            worker.deleteTopics(topology.topics());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DriverException | RuntimeException | Error e) {
            LOG.warn("The topics of the run could not be deleted", e);
        }
    }

    private RunResult result() {
        judge.judgeLayout(layout, workload.smallestMessageBytes());
        judge.judgeRandomness(workload, headerBytes(workload));
        // That consumers fall behind is what the last step of a growing load is to find out.
        if (!workload.buildsBacklog() && load.breach().isEmpty()) {
            judge.judgeConsumers(recording.measured(), load.backlogBefore());
        }
        judge.judgeLoad(recording.measured(), load.expected());
        if (tail != null) {
            judge.judgeUnsent(tail.censored(), load.expected().targetMsgPerSec());
        }
        judge.judgeLatencies(recording.measured());
        RunResult.Course course = load.course();
        judge.judgeSlo(course.slo());
        double clientCores = clientCores();
        if (usage != null) {
            judge.judgeHarness(usage, clientCores);
        }
        int sendingThreads = LoadPlan.sendingThreads(topology.producers().size());
        ResourcePeriod used = recording.resources().stream()
                .reduce(ResourcePeriod::followedBy)
                .orElse(ResourcePeriod.NONE);
        judge.judgeResources(
                recording.measured(),
                used,
                Math.min(sendingThreads, clientCores),
                request.monitor().problems());
        judge.judgeHost(used, broker == null || brokerOf(broker).sharesMachine());
        judge.judgeLimits(used, request.resourceLimits());
        request.monitor().diskNearlyFull().ifPresent(judge::judgeDisk);
        RunResult.Ceiling ceiling = request.calibration()
                .map(calibration -> new RunResult.Ceiling(calibration, sendingThreads))
                .orElse(null);
        if (ceiling != null) {
            judge.judgeCeiling(recording.measured(), load.targetMsgPerSec(), ceiling.msgPerSec());
        }
        RunResult.Search searched = load.search();
        RunResult.Search search = searched == null ? null : searched.audited(auditOfSearch);
        List<Finding> findings = judge.findings();
        Optional<Double> target = load.targetMsgPerSec().stream().boxed().findFirst();
        return new RunResult(
                request.runId(),
                verdict(findings),
                findings,
                failure,
                request.workload(),
                request.driver(),
                broker == null ? null : brokerOf(broker),
                request.environment(),
                beginNs,
                clock.getAsLong(),
                layout.name(),
                target.orElse(null),
                recording.phases(),
                recording.warmup(),
                periods(),
                search,
                audit,
                usage,
                ceiling,
                errors,
                request.resourceLimits(),
                course.endedBy(tail));
    }

    private List<RunPeriod> periods() {
        return IntStream.range(0, recording.measured().size())
                .mapToObj(i -> new RunPeriod(
                        recording.measured().get(i), recording.resources().get(i)))
                .toList();
    }

    /** How many processors the clients may use; infinity where nobody keeps them from any. */
    private double clientCores() {
        Double cpus = request.resourceLimits().clients().kept().cpus();
        return cpus == null ? Double.POSITIVE_INFINITY : cpus;
    }

    private RunResult.Broker brokerOf(BrokerDescription description) {
        return new RunResult.Broker(
                description,
                request.localBroker().isPresent(),
                request.localBroker().orElse(Map.of()));
    }

    private Verdict verdict(List<Finding> findings) {
        if (failure != null) {
            return Verdict.FAILED;
        }
        if (stop.requested()) {
            return Verdict.INTERRUPTED;
        }
        return Verdict.of(findings);
    }
}
