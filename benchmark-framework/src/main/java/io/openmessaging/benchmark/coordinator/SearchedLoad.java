package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Aftermath;
import io.openmessaging.benchmark.coordinator.session.Approach;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.judge.Settling;
import io.openmessaging.benchmark.judge.SweepJudge;
import io.openmessaging.benchmark.judge.worker.WorkerSeen;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunPeriod;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.search.RateSearch;
import io.openmessaging.benchmark.search.Variation;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The search for the highest sustainable rate: tries rates, each on a system that has nothing left of the rate before. */
final class SearchedLoad {

    /**
     * A step lasts at most this many times its usual length, while percentiles lack samples or counts are
     * inconclusive.
     */
    private static final int MAX_OBSERVATIONS = 12;

    /**
     * Length of a try that confirms a rate, as a multiple of others: with the usual step of 5 s, each such try
     * contains whatever a system does every 30 s, such as a checkpoint or a merge.
     */
    private static final int CONFIRMING = 6;

    /** A try ends early when more than this part of its messages is late: no pause that ends explains as many. */
    private static final double HOPELESS = 0.2;

    private final RunSession session;
    private final Workload workload;
    private final Observer observer;
    private final List<RunResult.SearchStep> steps = new ArrayList<>();
    private RateSearch rates = new RateSearch(RateSearch.FIRST_RATE_MSG_PER_SEC);
    private double rateMsgPerSec = RateSearch.FIRST_RATE_MSG_PER_SEC;

    /** When the tries have to end; without a {@code searchDuration}, they end by themselves. */
    private long endNs = Long.MAX_VALUE;

    /** Upper limit of the next measurement, because a higher rate was not held. */
    private double highestMsgPerSec = Double.POSITIVE_INFINITY;

    /**
     * The factor from a measurement that did not hold its rate to the next. It grows: where nothing but stalls keeps a
     * rate from being held, the system has time to catch up with them only far below its limit.
     */
    private double stepDown = RateSearch.PRECISION;

    private final Aftermath aftermath;
    private final Approach approach;

    /** Of all confirming tries that drove the system to its limit. */
    private final Variation variation = new Variation(CONFIRMING);

    /** The latest try at a rate that was sustained; empty if there was none. */
    private List<PeriodSnapshot> sustained = List.of();

    /** The largest share of the machine that others used while a rate was refused, and that rate. */
    private double othersPercent;

    private double besideOthersMsgPerSec;

    SearchedLoad(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.observer = session.observer;
        this.aftermath = new Aftermath(session);
        this.approach = new Approach(session, aftermath);
    }

    /** The rate that was tried last, or is to be tried first, or is measured. */
    double rateMsgPerSec() {
        return rateMsgPerSec;
    }

    /** The tries and the result until now; null if no step has ended. */
    RunResult.@Nullable Search result() {
        if (steps.isEmpty()) {
            return null;
        }
        OptionalDouble best = sustainableRateMsgPerSec();
        return best.isPresent()
                ? new RunResult.Search(best.getAsDouble(), range(best.getAsDouble()), List.copyOf(steps), null)
                : new RunResult.Search(null, null, List.copyOf(steps), null);
    }

    /**
     * The range of the limit: from the achieved rate that still counts as the highest held rate, to the lowest refused
     * rate; widened by chance if throughput varies.
     */
    private RunResult.RateRange range(double heldMsgPerSec) {
        double chance = variation.chance();
        double refused = rates.refusedMsgPerSec();
        return new RunResult.RateRange(
                Judge.REACHED * heldMsgPerSec * Math.max(0, 1 - chance),
                refused == Double.POSITIVE_INFINITY ? null : refused * (1 + chance));
    }

    /** The totals when nothing of a try was on its way any more. Messages that had not arrived by then are lost. */
    Totals settled() {
        return aftermath.settled();
    }

    private Totals since(Totals totals) {
        return aftermath.since(totals);
    }

    /** The highest rate that was sustained; empty if none was. */
    OptionalDouble sustainableRateMsgPerSec() {
        return rates.sustainableRateMsgPerSec();
    }

    /** Finds out the order of magnitude of the first rate. Returns false if the run is to stop. */
    boolean approach() throws InterruptedException, RunFailedException, DriverException {
        boolean goesOn = approach.climb();
        rateMsgPerSec = approach.rateMsgPerSec();
        return goesOn;
    }

    /**
     * Tries one rate after the other on a warm system; returns false if the run is to stop, in which case the last one
     * does not count.
     */
    boolean tryRates() throws InterruptedException, RunFailedException, DriverException {
        long beginNs = session.time.nowNs();
        if (workload.searchDuration() != null) {
            endNs = beginNs + workload.searchDuration().toNanos();
        }
        if (!approach.warm(beginNs + (endNs - beginNs) / 2)) {
            return false;
        }
        rates = new RateSearch(approach.rateMsgPerSec());
        for (Optional<RateSearch.Try> next = rates.next(); next.isPresent(); next = rates.next()) {
            if (!steps.isEmpty() && isTooLate(next.get())) {
                rates.end();
                break;
            }
            rateMsgPerSec = next.get().msgPerSec();
            Worker.Status before = observer.status();
            Pace pace = new Pace(rateMsgPerSec, workload.arrivals().isRandom(), workload.searchStep());
            Optional<RunResult.SearchStep> tried = tryRate(pace, next.get().confirming(), before);
            if (tried.isEmpty() || !endTry(tried.get(), pace.achievedMsgPerSec(), before)) {
                return false;
            }
        }
        if (othersPercent > 0) {
            session.recording.note(Finding.machineSharedInSearch(othersPercent, besideOthersMsgPerSec));
        }
        if (rates.sustainableRateMsgPerSec().isEmpty()) {
            session.recording.note(Finding.noSustainableRate(
                    rates.lowestRefusedMsgPerSec(), steps.get(steps.size() - 1).breach()));
        }
        return true;
    }

    /** Lets everything of a try arrive and reports its outcome. Returns false if no other rate can be tried. */
    private boolean endTry(RunResult.SearchStep tried, double achievedMsgPerSec, Worker.Status before)
            throws InterruptedException, RunFailedException, DriverException {
        RunResult.SearchStep step = tried;
        try {
            Aftermath.Leftover left = aftermath.awaitDrained(rateMsgPerSec);
            step = left.end() == Observer.End.STOPPED ? tried : tried.refusedFor(incomplete(before));
            return left.isOver();
        } finally {
            rates.report(step.sustained(), achievedMsgPerSec);
            add(step);
        }
    }

    /** What a try left behind: a run at its rate would be INVALID, so the rate is not sustained. */
    private Optional<Breach> incomplete(Worker.Status before) throws DriverException, InterruptedException {
        Worker.Status now = observer.status();
        Totals since = now.totals().minus(before.totals());
        // Not the backlog: that messages of an earlier try came twice may become known only now.
        long missing = since.received().stream()
                .mapToLong(received -> since.sent() - since.failed() - received)
                .max()
                .orElse(0);
        // What fails now may have been sent in an earlier try.
        return before.totals().inFlight() > 0 && missing <= 0
                ? Optional.empty()
                : SweepJudge.incomplete(missing, since, now.errorsSince(before));
    }

    /** Looks whether others used the machine while a rate was refused. */
    private void watchOthers(ResourcePeriod used, PeriodSnapshot tried, Worker.Status before)
            throws DriverException, InterruptedException {
        List<HarnessUsage> usage =
                HarnessUsage.since(before.usage(), observer.status().usage());
        List<WorkerSeen> workers = session.workers.seen(usage, tried.startNs(), tried.endNs());
        double percent = Judge.othersPercent(used, workers).orElse(0.0);
        if (percent > othersPercent) {
            othersPercent = percent;
            besideOthersMsgPerSec = rateMsgPerSec;
        }
    }

    /** Returns whether a try of the usual length would end after the search. */
    private boolean isTooLate(RateSearch.Try next) {
        Duration usual = settleTime().plus(workload.searchStep().multipliedBy(least(next.confirming())));
        return session.time.nowNs() + usual.toNanos() > endNs;
    }

    /** The shortest time of a try as a multiple of {@code searchStep}, unless the rate is far too high. */
    private static int least(boolean confirming) {
        return confirming ? CONFIRMING : 1;
    }

    /** Returns whether a time was at least that of a confirming try. */
    private boolean isLong(PeriodSnapshot seen) {
        return seen.seconds() >= CONFIRMING * workload.searchStep().toNanos() / 1e9;
    }

    private Duration settleTime() {
        return workload.searchStep().multipliedBy(2).dividedBy(5);
    }

    /**
     * Runs a step: sustained if the system kept pace and latencies met the workload's bounds. Empty if the run is to
     * stop.
     */
    private Optional<RunResult.SearchStep> tryRate(Pace pace, boolean confirming, Worker.Status before)
            throws InterruptedException, RunFailedException, DriverException {
        session.load.start(RateProfile.steady(rateMsgPerSec));
        if (settle(workload.searchStep(), totals -> true) == Observer.End.STOPPED) {
            return Optional.empty();
        }
        session.periods.skip();
        session.request.conditions().monitor().begin();
        Optional<RunPeriod> observed = observe(pace, least(confirming));
        if (observed.isEmpty()) {
            return Optional.empty();
        }
        PeriodSnapshot seen = session.workers.given(observed.get().seen());
        Breach breach = Bounds.pace(pace)
                .or(() -> Bounds.latencyBeyondChance(workload.sloBounds(), seen))
                .orElse(null);
        if (breach == null) {
            sustained = List.of(seen);
        } else if (isLong(seen)) {
            watchOthers(observed.get().used(), seen, before);
        }
        return Optional.of(
                new RunResult.SearchStep(rateMsgPerSec, seen.publishRate(), pace.backlogGrowth(), breach, confirming));
    }

    /** Applies the load of the measurement. Returns false if no rate was found, or if the run is to stop. */
    boolean begin() throws InterruptedException, RunFailedException, DriverException {
        OptionalDouble found = sustainableRateMsgPerSec();
        if (found.isEmpty()) {
            return false;
        }
        rateMsgPerSec = Math.min(found.getAsDouble(), highestMsgPerSec);
        Totals before = observer.totals();
        session.load.start(RateProfile.steady(rateMsgPerSec));
        long beginNs = session.time.nowNs();
        long stepNs = workload.searchStep().toNanos();
        Duration longest = Duration.ofNanos(Math.max(stepNs, Math.min(CONFIRMING * stepNs, endNs - beginNs)));
        Settling settling =
                new Settling(rateMsgPerSec, workload.arrivals().isRandom(), beginNs, before, sustained, longest);
        return settle(longest, totals -> settling.look(session.time.nowNs(), totals)) != Observer.End.STOPPED;
    }

    /**
     * Judges a measurement that has ended, while its load is still on. If it did not hold its rate it was a try, and
     * the next starts at a lower one. The limit that confirming tries found stays, because a system at its limit is
     * late. It changes only if much less was achieved, over at least the time of a confirming try.
     *
     * @param reason why the rate was not held, as far as the measurement knows
     * @return true if it was a try
     */
    boolean missed(Optional<Finding> reason) throws DriverException, InterruptedException {
        Totals totals = since(observer.totals());
        double seconds = session.load.sinceStart().toNanos() / 1e9;
        long unsent = Math.round(rateMsgPerSec * seconds) - totals.sent();
        Optional<Finding> missed =
                reason.or(() -> Judge.unsent(unsent, Math.round(1e9 * unsent / rateMsgPerSec), rateMsgPerSec)
                        .filter(Finding::decidesVerdict));
        if (missed.isEmpty()) {
            return false;
        }
        PeriodSnapshot measured =
                PeriodSnapshot.together(session.recording.measured()).orElseThrow();
        // What is always in flight was so at the start, too.
        long behind = measured.counts().largestBacklog();
        double achieved = Math.min(measured.publishRate(), measured.sendRate() - behind / measured.seconds());
        Breach breach =
                new Breach(RunResult.SearchStep.MEASUREMENT, missed.get().text());
        add(new RunResult.SearchStep(rateMsgPerSec, achieved, behind, breach, true));
        double lower = rateMsgPerSec / RateSearch.PRECISION;
        boolean decides = achieved < lower && isLong(measured);
        rates.missed(rateMsgPerSec, achieved, decides);
        highestMsgPerSec = Math.min(rateMsgPerSec / stepDown, RateSearch.limit(rateMsgPerSec, achieved));
        stepDown *= stepDown;
        return true;
    }

    private void add(RunResult.SearchStep step) {
        steps.add(step);
        session.listener.searchStep(step);
    }

    /**
     * Lets the load run until its messages have started to arrive and the totals satisfy a condition; for a part of a
     * step in any case.
     *
     * @param longest longest time beyond that
     */
    private Observer.End settle(Duration longest, Predicate<Totals> settled)
            throws InterruptedException, RunFailedException, DriverException {
        Observer.End end = observer.pass(settleTime());
        return end == Observer.End.STOPPED
                ? end
                : observer.waitUntil(
                        longest, Pace.LOOK, Optional.empty(), totals -> settled.test(totals) && someArrived(totals));
    }

    private boolean someArrived(Totals totals) {
        Totals ofThisRate = since(totals);
        return ofThisRate.acknowledged() > 0 && ofThisRate.received().stream().allMatch(received -> received > 0);
    }

    /**
     * Observes a step; longer than configured while percentiles have too few samples, or the pace is undecided, until
     * the search has to end. Empty if the run is to stop.
     *
     * @param least from {@link #least}
     */
    private Optional<RunPeriod> observe(Pace pace, int least)
            throws InterruptedException, RunFailedException, DriverException {
        double hopeless =
                HOPELESS * rateMsgPerSec * least * workload.searchStep().toNanos() / 1e9;
        RunPeriod seen = null;
        boolean haveSamples = false;
        List<Double> late = new ArrayList<>(List.of(0.0));
        for (int i = 1; i <= MAX_OBSERVATIONS; i++) {
            boolean mayEnd = i > least && haveSamples;
            Observer.End end = observer.waitUntil(workload.searchStep(), Pace.LOOK, Optional.empty(), totals -> {
                pace.look(session.time.nowNs(), totals);
                return mayEnd && pace.state() == Pace.PaceState.KEPT;
            });
            if (end == Observer.End.STOPPED) {
                return Optional.empty();
            }
            RunPeriod next = session.recording.add(session.periods.next());
            seen = seen == null ? new RunPeriod(next.seen().ofAll(), next.used()) : seen.followedBy(next);
            late.add(pace.behindMessages());
            haveSamples = Bounds.haveSamples(workload.sloBounds(), session.workers.given(seen.seen()));
            boolean lost = pace.state() == Pace.PaceState.LOST && (i >= least || pace.behindMessages() > hopeless);
            boolean decided = pace.state() == Pace.PaceState.KEPT && haveSamples;
            if (lost || (i >= least && (decided || session.time.nowNs() >= endNs))) {
                break;
            }
        }
        if (least > 1 && !pace.keptUp()) {
            variation.add(rateMsgPerSec * workload.searchStep().toNanos() / 1e9, late);
        }
        return Optional.ofNullable(seen);
    }

    /** Lets everything arrive before the next rate; see {@link Aftermath#awaitDrained}. */
    boolean awaitDrained() throws InterruptedException, RunFailedException, DriverException {
        return aftermath.awaitDrained(rateMsgPerSec).isOver();
    }
}
