package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.coordinator.fresh.FreshRead;
import io.openmessaging.benchmark.coordinator.session.LoadEnd;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.Recording;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.coordinator.session.Time;
import io.openmessaging.benchmark.coordinator.session.WorkerResults;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.judge.Evidence;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.LoadOutcome;
import io.openmessaging.benchmark.judge.outage.FaultAudit;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Calibration;
import io.openmessaging.benchmark.result.ClockBound;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.WorkerResult;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a workload against a system, from provisioning to the audit. Used once, on one thread.
 *
 * <p>{@link #execute()} returns a result in every case: with the figures measured until the end, and the verdict that
 * says how the run ended. The first error is the run's failure; errors while cleaning up after it are only logged.
 */
public final class Run {

    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    /**
     * Once everything seems to have arrived, nothing more may arrive for this long: a duplicate can stand in for a
     * message that is still on its way.
     */
    private static final Duration CALM = Duration.ofMillis(100);

    private static final Duration LOOK = Duration.ofMillis(10);

    private final RunSession session;
    private final RunRequest request;
    private final Worker worker;
    private final Topology topology;
    private final Recording recording;
    private final Provisioning provisioning;
    private final LoadPhases load;
    private final LoadEnd loadEnd;
    private final long beginNs;
    private boolean clientsClosed;

    /** True if nothing more would have arrived when the drain ended. */
    private boolean settled;

    private RunResult.@Nullable Broker broker;
    private @Nullable String failure;
    private @Nullable AuditReport audit;
    private @Nullable AuditReport auditOfSearch;
    private Consumed consumed = Consumed.NOTHING;
    private RunResult.@Nullable Tail tail;
    private List<FaultOutcome.Event> faults = List.of();
    private FaultOutcome.@Nullable FaultReport outcomeOfFaults;
    private List<HarnessUsage> usage = List.of();
    private @Nullable Totals totalsInTheEnd;
    private Map<String, Long> errors = Map.of();

    /**
     * Creates a run that has not started.
     *
     * @param request description of the run
     * @param worker worker of the run; closed by the run, not by its creator
     * @param stop the user's wish to stop
     * @param listener receives the run's progress
     * @param clock epoch nanoseconds
     */
    public Run(RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock) {
        this(request, worker, stop, listener, clock, Time.real());
    }

    Run(RunRequest request, Worker worker, StopSignal stop, RunListener listener, LongSupplier clock, Time time) {
        this.beginNs = clock.getAsLong();
        this.request = request;
        this.worker = worker;
        this.session = new RunSession(request, worker, stop, listener, clock, time);
        this.topology = session.topology;
        this.recording = session.recording;
        this.provisioning = new Provisioning(session);
        this.load = new LoadPhases(session);
        this.loadEnd = new LoadEnd(session);
    }

    /** Runs all phases. */
    public RunResult execute() {
        request.conditions().notes().forEach(recording::note);
        boolean provisioned = attempt(this::provision);
        if (provisioned) {
            attempt(load::run);
            if (session.stop.requested() && !session.faults.soFar().isEmpty()) {
                session.listener.waits("faults are being undone");
            }
            attempt(() -> faults = session.faults.end());
            attempt(this::throwIfLostBeforeMeasuring);
            attempt(() -> usage = load.usage());
        }
        LoadOutcome outcome = load.outcome();
        if (provisioned) {
            windDown(outcome);
        }
        cleanUp();
        recording.endPhase();
        return result(outcome);
    }

    /** A step that is executed even if an earlier one failed. */
    private interface Cleanup {
        void execute() throws RunFailedException, DriverException, InterruptedException;
    }

    /** Returns whether the step succeeded; if not, its error is the run's failure, unless there is one already. */
    private boolean attempt(Cleanup step) {
        try {
            step.execute();
            return true;
        } catch (InterruptedException e) {
            session.stop.request();
        } catch (RunFailedException | DriverException | RuntimeException | Error e) {
            // Figures measured until a worker was lost are kept.
            boolean lostLater =
                    e instanceof WorkerLostException && !recording.measured().isEmpty();
            if (failure == null && !lostLater) {
                fail(e);
            } else {
                LOG.warn("An error after the end of the run", e);
            }
        }
        return false;
    }

    /**
     * Records the failure. Once the broker started for the run is dead, that is the cause and a client error its
     * consequence.
     */
    private void fail(Throwable e) {
        LOG.error("The run failed", e);
        boolean expected = e instanceof RunFailedException || e instanceof DriverException;
        String sentence = expected && e.getMessage() != null ? e.getMessage() : "unexpected error: " + e;
        failure = request.system().broker().failure().orElse(sentence);
    }

    /**
     * Provisions the system. Calls to the system ignore the stop signal, which interrupts this thread instead.
     */
    private void provision() throws DriverException, InterruptedException, RunFailedException {
        session.observer.throwIfBrokerFailed();
        session.stop.interruptFrom();
        try {
            RunResult.Broker connected = brokerOf(provisioning.connect());
            broker = connected;
            Worker.Prepared prepared = provisioning.create();
            WorkerEquipment equipment = new WorkerEquipment(
                    prepared,
                    WorkerHost.here(),
                    request.conditions().calibration().map(Calibration::ceilings),
                    connected);
            session.workers.prepared(prepared, equipment.of(topology));
            broker = connected.placed(provisioning.placement());
            if (!topology.consumesOnly()) {
                recording.begin(RunPhase.READY);
                provisioning.awaitReady(session.timeouts.readiness());
            }
        } finally {
            session.stop.noInterrupts();
        }
    }

    private void throwIfLostBeforeMeasuring() throws RunFailedException {
        if (recording.measured().isEmpty()) {
            session.observer.throwIfLost();
        }
    }

    private void windDown(LoadOutcome outcome) {
        loadEnd.begin();
        attempt(session.load::stop);
        recording.begin(RunPhase.DRAIN);
        if (failure == null && !topology.consumesOnly()) {
            attempt(() -> drain(outcome));
        }
        attempt(loadEnd::waitEnded);
        recording.begin(RunPhase.AUDIT);
        if (session.stop.requested()) {
            session.listener.waits("clients are closed and topics deleted");
        }
        attempt(() -> compare(outcome));
        request.system().broker().endedNodes().forEach(sentence -> recording.note(Finding.brokerNodeEnded(sentence)));
        // The load that a sweep ends with is not the one whose figures are reported.
        boolean sent = session.workload.rateSweep() == null && !topology.consumesOnly();
        if (!recording.measured().isEmpty() && sent) {
            int copies = session.layout == MessageHeader.Layout.FULL ? topology.subscriptionCount() : 0;
            attempt(() -> tail = loadEnd.tail(copies, audit));
        }
    }

    /** Lets messages on their way arrive, so that the audit can distinguish lost from late. */
    private void drain(LoadOutcome outcome) throws InterruptedException, RunFailedException, DriverException {
        RunTimeouts timeouts = session.timeouts;
        Observer observer = session.observer;
        Duration quiet = outcome.gaveUp() ? CALM : timeouts.quiet();
        long drainBeginNs = session.time.nowNs();
        Observer.End end = observer.waitForArrivals(
                timeouts.drain(), LOOK, quiet, totals -> Observer.allArrived(outcome.sinceSearch(totals)));
        Observer.End last = end;
        if (end == Observer.End.DONE) {
            Duration left = timeouts.drain().minusNanos(session.time.nowNs() - drainBeginNs);
            last = observer.waitForArrivals(
                    left, LOOK, isCountClear(observer.totals()) ? CALM : quiet, totals -> false);
        }
        boolean complete = end == Observer.End.DONE && isCountClear(observer.totals());
        boolean cutShort = observer.isHasty() && Observer.QUIET_IN_HASTE.compareTo(timeouts.quiet()) < 0;
        settled = last == Observer.End.STALLED
                && !cutShort
                && (complete || provisioning.deliversAfterLoad(timeouts.quiet()));
        if (end == Observer.End.TIME_UP && !outcome.wentBeyond()) {
            recording.note(Finding.consumersBehind(
                    outcome.sinceSearch(observer.totals()).largestBacklog(),
                    String.format(
                            Locale.ROOT,
                            "at the slowest subscription %.0f s after the load had ended",
                            (session.time.nowNs() - drainBeginNs) / 1e9)));
        }
    }

    /**
     * Returns whether the count of arrivals tells that nothing is missing. A duplicate, or a message that arrived
     * although its send failed, may stand in for one that is still on its way.
     */
    private static boolean isCountClear(Totals totals) {
        return totals.failed() == 0 && totals.received().stream().allMatch(received -> received <= totals.sent());
    }

    /** Compares what was sent with what has arrived. */
    private void compare(LoadOutcome outcome) throws DriverException, InterruptedException {
        AuditPart part;
        try {
            clientsClosed = true;
            part = worker.finish();
            consumed = part.consumed();
        } finally {
            Worker.Status status = session.observer.status();
            errors = status.errors();
            totalsInTheEnd = status.totals();
            session.state.time(Optional.empty());
        }
        audit(part, outcome);
    }

    private void audit(AuditPart part, LoadOutcome outcome) throws InterruptedException {
        if (!faults.isEmpty() && !recording.measured().isEmpty()) {
            AuditPart found = new FreshRead(session).found(part);
            outcomeOfFaults = new FaultAudit(topology, recording.measured(), part, waitEnd(), found).of(faults, errors);
        }
        if (session.layout == MessageHeader.Layout.NONE) {
            return;
        }
        List<AuditPart> parts = List.of(part);
        audit = judgeable(AuditReport.of(parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd()));
        if (outcome.search() != null && outcome.search().result() != null) {
            auditOfSearch = judgeable(
                    AuditReport.ofSearch(parts, topology.producersByTopic(), topology.subscriptionCount(), waitEnd()));
        }
        if (!topology.kind().partitionsTold()) {
            recording.note(Finding.orderNotJudged());
        }
    }

    /** Returns a report without the order of messages if the driver does not tell their partitions. */
    private AuditReport judgeable(AuditReport report) {
        return topology.kind().partitionsTold() ? report : report.withoutOrder();
    }

    private AuditReport.WaitEnd waitEnd() {
        if (settled) {
            return AuditReport.WaitEnd.SETTLED;
        }
        return topology.kind().partitionsTold()
                        && topology.partitions() == 1
                        && topology.consumersPerSubscription() == 1
                ? AuditReport.WaitEnd.CUT_IN_ORDER
                : AuditReport.WaitEnd.CUT;
    }

    /** Releases what the run has created in the system, as far as it got; errors are only logged. */
    private void cleanUp() {
        if (broker != null) {
            // Before their topics are deleted: a client that still requests a topic may recreate it.
            if (!clientsClosed) {
                logged("Producers and consumers could not be closed", worker::finish);
            }
            logged("The topics of the run could not be deleted", provisioning::deleteTopics);
        }
        logged("The worker could not be closed", worker::close);
        logged("The connection could not be closed", provisioning::close);
    }

    private static void logged(String problem, Cleanup step) {
        try {
            step.execute();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RunFailedException | DriverException | RuntimeException | Error e) {
            LOG.warn(problem, e);
        }
    }

    private RunResult result(LoadOutcome load) {
        Seen seen = seen();
        LoadOutcome outcome = load.endedBy(seen.tail, slo(seen));
        List<Finding> findings = findings(outcome, seen);
        RunResult.Search searched =
                outcome.search() == null ? null : outcome.search().result();
        return new RunResult(
                request.runId(),
                verdict(findings),
                findings,
                failure,
                request.workload(),
                request.system().shown(),
                broker,
                seen.ofWorkers.isEmpty()
                        ? request.conditions().environment()
                        : request.conditions().environment().ofSeveralClocks(),
                beginNs,
                session.clock.getAsLong(),
                session.layout.name(),
                outcome.targetMsgPerSec().stream().boxed().findFirst().orElse(null),
                recording.phases(),
                session.workers.given(recording.warmup()),
                seen.periods,
                searched == null ? null : searched.audited(auditOfSearch),
                audit,
                HarnessUsage.together(usage).orElse(null),
                request.conditions()
                        .calibration()
                        .map(calibration -> new RunResult.Ceiling(calibration, seen.sendingThreads()))
                        .orElse(null),
                errors,
                request.conditions().resourceLimits(),
                outcome.course().with(outcomeOfFaults).consumed(foreign()).arrived(allHadArrived(outcome)),
                seen.ofWorkers,
                seen.clocks);
    }

    /** Compares latencies with the workload's bounds, also those of messages that were answered after the load. */
    private List<RunResult.SloOutcome> slo(Seen seen) {
        return RunResult.total(seen.periods, seen.tail)
                .map(total -> Bounds.outcomes(session.workload.sloBounds(), total))
                .orElse(List.of());
    }

    private boolean allHadArrived(LoadOutcome outcome) {
        List<PeriodSnapshot> measured = recording.measured();
        return audit == null
                || measured.isEmpty()
                || Judge.allHadArrived(
                        audit,
                        outcome.sinceSearch(measured.get(measured.size() - 1).totals()));
    }

    private RunResult.@Nullable Foreign foreign() {
        String time = request.system().control().messageTime().orElse(null);
        return topology.consumesOnly() ? new RunResult.Foreign(consumed, time) : null;
    }

    /** The parts of the measurement that the result shows, and the workers that took part in it. */
    private record Seen(
            List<WorkerSeen> workers,
            @Nullable ClockBound clocks,
            List<RunPeriod> periods,
            RunResult.@Nullable Tail tail,
            List<WorkerResult> ofWorkers) {

        /** Number of sending threads of the first worker; 0 if unknown. */
        int sendingThreads() {
            return workers.isEmpty() ? 0 : workers.get(0).equipment().sendingThreads();
        }
    }

    private Seen seen() {
        PeriodSnapshot total =
                RunPeriod.together(recording.periods()).map(RunPeriod::seen).orElse(null);
        long endNs = session.clock.getAsLong();
        List<WorkerSeen> workers = total == null
                ? session.workers.seen(usage, beginNs, endNs)
                : session.workers.seen(usage, total.startNs(), total.endNs());
        ClockBound clocks = session.workers
                .bound(total == null ? List.of() : List.of(total))
                .orElse(null);
        boolean all = clocks == null || clocks.isEndToEndGiven();
        return new Seen(
                workers,
                clocks,
                all
                        ? recording.periods()
                        : recording.periods().stream()
                                .map(RunPeriod::withinWorkers)
                                .toList(),
                all || tail == null ? tail : tail.withinWorkers(),
                WorkerResults.of(
                        session.workers.machines(),
                        workers,
                        total,
                        session.observer.beganNs(),
                        session.observer.lost()));
    }

    private List<Finding> findings(LoadOutcome outcome, Seen seen) {
        RunRequest.Conditions conditions = request.conditions();
        return Judge.findings(new Evidence(
                session.workload,
                seen.periods,
                recording.notes(),
                outcome,
                new Evidence.Ending(audit, auditOfSearch, settled, seen.tail, totalsInTheEnd, errors, outcomeOfFaults),
                new Evidence.HarnessEvidence(seen.workers, session.observer.lostUnplanned(), seen.clocks),
                new Evidence.Surroundings(
                        conditions.resourceLimits(),
                        conditions.monitor().problems(),
                        conditions.monitor().diskNearlyFull().orElse(null))));
    }

    private RunResult.Broker brokerOf(BrokerDescription description) {
        Optional<Map<String, String>> started = request.system().localBroker();
        return new RunResult.Broker(description, started.isPresent(), started.orElse(Map.of()), Map.of());
    }

    private Verdict verdict(List<Finding> findings) {
        if (failure != null) {
            return Verdict.FAILED;
        }
        if (session.stop.requested()) {
            return Verdict.INTERRUPTED;
        }
        return Verdict.of(findings);
    }
}
