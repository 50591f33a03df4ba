package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.coordinator.session.Aftermath;
import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Bounds;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.judge.Pace;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.RunResult.Breach;
import io.openmessaging.benchmark.search.RateSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The search for the highest sustainable rate: tries rates, each from a system that has nothing left of the one before.
 *
 * <p>Before any longer load, {@link #approach()} finds out which order of magnitude the system is capable of. So no step
 * leaves more behind than the system can catch up with in some multiple of the step's own time.
 */
final class SearchedLoad {

    /** Rates to approach the first one by, messages a second. */
    private static final double[] APPROACH_MSG_PER_SEC = {1, 10, 100, 1000, RateSearch.FIRST_RATE_MSG_PER_SEC};

    /** For how long each of them is sent, and for how long its messages may then still arrive. */
    private static final Duration APPROACH_TIME = Duration.ofSeconds(1);

    /** How many times as long as usual a step lasts at most until percentiles have their samples and counts can tell. */
    private static final int MAX_OBSERVATIONS = 12;

    /**
     * How many times as long as others a try that confirms a rate lasts: what a system does every 30 s, such as a checkpoint or
     * a merge, is in each of them with the usual step of 5 s.
     */
    private static final int CONFIRMING = 6;

    /** A try ends early when more of its messages than this part are late, which no pause explains that comes to an end. */
    private static final double HOPELESS = 0.2;

    /** Student's factor for 95 % with the degrees of freedom of a confirming try's steps. */
    private static final double STUDENT = 2.57;

    /** What a system does varies for longer than a step: so many of them count as one. */
    private static final int ALIKE = 2;

    private final RunSession session;
    private final Workload workload;
    private final Observer observer;
    private final List<RunResult.SearchStep> steps = new ArrayList<>();
    private RateSearch rates = new RateSearch(APPROACH_MSG_PER_SEC[0]);
    private double rateMsgPerSec = APPROACH_MSG_PER_SEC[0];

    /** What is measured at most, since a higher rate was not held. */
    private double highestMsgPerSec = Double.POSITIVE_INFINITY;

    private final Aftermath aftermath;

    /** Of the steps of each confirming try in which the system did what it could: how far from their mean, as a part of it. */
    private final List<Double> deviations = new ArrayList<>();

    SearchedLoad(RunSession session) {
        this.session = session;
        this.workload = session.workload;
        this.observer = session.observer;
        this.aftermath = new Aftermath(session);
    }

    /** The rate that was tried last, or is to be tried first, or is measured. */
    double rateMsgPerSec() {
        return rateMsgPerSec;
    }

    /** What was tried and found until now; null if no step has ended. */
    RunResult.@Nullable Search result() {
        if (steps.isEmpty()) {
            return null;
        }
        OptionalDouble best = sustainableRateMsgPerSec();
        return best.isPresent()
                ? new RunResult.Search(best.getAsDouble(), range(best.getAsDouble()), List.copyOf(steps), null)
                : new RunResult.Search(null, null, List.copyOf(steps), null);
    }

    /** From what holds the highest rate to the lowest refused, and what chance adds where what the system does varies. */
    private RunResult.RateRange range(double heldMsgPerSec) {
        double squares = deviations.stream().mapToDouble(part -> part * part).sum();
        double deviation = deviations.isEmpty() ? 0 : Math.sqrt(squares / deviations.size());
        double chance = STUDENT * deviation / Math.sqrt((double) CONFIRMING / ALIKE);
        double refused = rates.refusedMsgPerSec();
        return new RunResult.RateRange(
                Judge.REACHED * heldMsgPerSec * Math.max(0, 1 - chance),
                refused == Double.POSITIVE_INFINITY ? null : refused * (1 + chance));
    }

    /** What had been counted when nothing of a try was on its way any more. What had not arrived by then is lost. */
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

    /**
     * Sends for a moment at rates that grow tenfold, and chooses the last one whose messages arrived in little more time
     * than they were sent in. Returns false if the run is to stop.
     */
    boolean approach() throws InterruptedException, RunFailedException, DriverException {
        for (double rate : APPROACH_MSG_PER_SEC) {
            boolean arrived = false;
            // The first messages of all may find a system that is not warm.
            for (int tries = 0; tries < 2 && !arrived; tries++) {
                rateMsgPerSec = rate;
                session.load.start(RateProfile.steady(rate));
                if (observer.pass(APPROACH_TIME) == Observer.End.STOPPED) {
                    return false;
                }
                session.load.stop();
                // A client that blocks is behind as well. Of few messages, that some are missing may be chance.
                double least = rate / 2 - Judge.SCATTER * Math.sqrt(rate);
                boolean sent = since(observer.totals()).sent() >= least;
                arrived = sent
                        && observer.waitUntil(APPROACH_TIME, Pace.LOOK, Optional.empty(), aftermath::allArrived)
                                == Observer.End.DONE;
                if (!awaitDrained()) {
                    return false;
                }
            }
            if (!arrived) {
                break;
            }
            rates = new RateSearch(rate);
        }
        rateMsgPerSec = rates.next().map(RateSearch.Try::msgPerSec).orElse(rateMsgPerSec);
        return true;
    }

    /** Tries one rate after the other; returns false if the run is to stop, in which case the last one does not count. */
    boolean tryRates() throws InterruptedException, RunFailedException, DriverException {
        for (Optional<RateSearch.Try> next = rates.next(); next.isPresent(); next = rates.next()) {
            rateMsgPerSec = next.get().msgPerSec();
            Pace pace = new Pace(rateMsgPerSec, session.random(), workload.searchStep());
            Optional<RunResult.SearchStep> tried = tryRate(pace, next.get().confirming());
            if (tried.isEmpty()) {
                return false;
            }
            RunResult.SearchStep step = tried.get();
            rates.report(step.sustained(), pace.achievedMsgPerSec());
            add(step);
            if (!awaitDrained()) {
                return false;
            }
        }
        if (rates.sustainableRateMsgPerSec().isEmpty()) {
            session.recording.note(Finding.noSustainableRate(
                    rates.lowestRefusedMsgPerSec(), steps.get(steps.size() - 1).breach()));
        }
        return true;
    }

    /**
     * A step: sustained when the system kept pace and latencies were what the workload asks for. Empty if the run is to
     * stop.
     */
    private Optional<RunResult.SearchStep> tryRate(Pace pace, boolean confirming)
            throws InterruptedException, RunFailedException, DriverException {
        session.load.start(RateProfile.steady(rateMsgPerSec));
        if (settle() == Observer.End.STOPPED) {
            return Optional.empty();
        }
        session.periods.skip();
        return observe(pace, confirming ? CONFIRMING : 1).map(seen -> {
            Optional<Breach> breach =
                    Bounds.pace(pace).or(() -> Bounds.latencyBeyondChance(workload.sloBounds(), seen));
            return new RunResult.SearchStep(
                    rateMsgPerSec, seen.publishRate(), pace.backlogGrowth(), breach.orElse(null), confirming);
        });
    }

    /** Puts the load of the measurement on. Returns false if no rate was found, or if the run is to stop. */
    boolean begin() throws InterruptedException, RunFailedException, DriverException {
        OptionalDouble found = sustainableRateMsgPerSec();
        if (found.isEmpty()) {
            return false;
        }
        rateMsgPerSec = Math.min(found.getAsDouble(), highestMsgPerSec);
        session.load.start(RateProfile.steady(rateMsgPerSec));
        return settle() != Observer.End.STOPPED;
    }

    /**
     * A measurement has ended, and its load is still on. If it did not hold its rate it was a try, and the next begins at a lower
     * one. The limit of the system, which is found, stays what it is: at its limit, a system is late. Only where much less was
     * achieved, for no shorter than in a try that confirms, it was not the limit.
     *
     * @param reason why it did not hold, as far as the measurement knows
     * @return whether it was a try
     */
    boolean missed(Optional<Finding> reason) throws DriverException, InterruptedException {
        Totals totals = since(observer.totals());
        double seconds = session.load.sinceStart().toNanos() / 1e9;
        long unsent = Math.round(rateMsgPerSec * seconds) - totals.sent();
        long waitNs = Math.round(1e9 * unsent / rateMsgPerSec);
        boolean late = unsent > 1 && waitNs >= Judge.VERY_LATE_NS;
        if (reason.isEmpty() && !late) {
            return false;
        }
        long behind = totals.largestBacklog();
        PeriodSnapshot measured =
                PeriodSnapshot.together(session.recording.measured()).orElseThrow();
        double achieved = Math.min(measured.publishRate(), measured.sendRate() - behind / measured.seconds());
        String text = reason.orElseGet(() -> Finding.dueMessagesUnsent(unsent, waitNs, Finding.Severity.INVALIDATES))
                .text();
        add(new RunResult.SearchStep(
                rateMsgPerSec, achieved, behind, new Breach(RunResult.SearchStep.MEASUREMENT, text), true));
        double lower = rateMsgPerSec / RateSearch.PRECISION;
        if (achieved < lower
                && measured.seconds() >= CONFIRMING * workload.searchStep().toNanos() / 1e9) {
            rates.missed(rateMsgPerSec, achieved);
        }
        highestMsgPerSec = Math.min(lower, RateSearch.limit(rateMsgPerSec, achieved));
        return true;
    }

    private void add(RunResult.SearchStep step) {
        steps.add(step);
        session.listener.searchStep(step);
    }

    /** Lets the load run until its messages have begun to arrive, and for a part of a step in any case. */
    private Observer.End settle() throws InterruptedException, RunFailedException, DriverException {
        Observer.End end = observer.pass(workload.searchStep().multipliedBy(2).dividedBy(5));
        return end == Observer.End.STOPPED
                ? end
                : observer.waitUntil(workload.searchStep(), Pace.LOOK, Optional.empty(), this::someArrived);
    }

    private boolean someArrived(Totals totals) {
        Totals ofThisRate = since(totals);
        return ofThisRate.acknowledged() > 0 && ofThisRate.received().stream().allMatch(received -> received > 0);
    }

    /**
     * For longer than asked for where percentiles have too few samples, or the pace cannot be told. Empty if to stop.
     *
     * @param least how many times {@code searchStep} at least, unless the rate is far too high
     */
    private Optional<PeriodSnapshot> observe(Pace pace, int least)
            throws InterruptedException, RunFailedException, DriverException {
        double hopeless =
                HOPELESS * rateMsgPerSec * least * workload.searchStep().toNanos() / 1e9;
        PeriodSnapshot seen = null;
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
            PeriodSnapshot next = session.periods.next().seen();
            seen = seen == null ? next.ofAll() : seen.followedBy(next);
            late.add(pace.behindMessages());
            haveSamples = Bounds.haveSamples(workload.sloBounds(), session.workers.given(seen));
            boolean lost = pace.state() == Pace.PaceState.LOST && (i >= least || pace.behindMessages() > hopeless);
            if (lost || (i >= least && pace.state() == Pace.PaceState.KEPT && haveSamples)) {
                break;
            }
        }
        if (least > 1 && !pace.keptUp()) {
            deviations.addAll(deviations(late));
        }
        return Optional.ofNullable(seen).map(session.workers::given);
    }

    /** How far what a system did in each step was from its mean, by how many messages were late at the ends of steps. */
    private List<Double> deviations(List<Double> late) {
        double dueInStep = rateMsgPerSec * workload.searchStep().toNanos() / 1e9;
        int count = late.size() - 1;
        double mean = dueInStep - late.get(count) / count;
        List<Double> found = new ArrayList<>();
        for (int i = 1; i <= count && count > 1; i++) {
            found.add((dueInStep - late.get(i) + late.get(i - 1)) / mean - 1);
        }
        return found;
    }

    /**
     * Lets everything arrive before the next rate. Returns false if the run is to stop, or if there is no end to what
     * arrives: no other rate could be judged then, and that is a finding.
     */
    boolean awaitDrained() throws InterruptedException, RunFailedException, DriverException {
        Aftermath.Leftover left = aftermath.await();
        if (left.end() == Observer.End.TIME_UP) {
            session.recording.note(Finding.searchNotDrained(rateMsgPerSec, left.missing(), left.seconds()));
        }
        return left.isOver();
    }
}
