package io.openmessaging.benchmark.run;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Told how a run goes on, on the run's thread. */
public interface RunListener {

    /** A phase begins. */
    void phase(RunPhase phase);

    /**
     * Time has passed, a second or so.
     *
     * @param left until the end of the phase, where that is known
     */
    void tick(RunPhase phase, Optional<Duration> left, Totals totals);

    /** A period has ended. */
    void period(RunPhase phase, Optional<Duration> left, PeriodSnapshot period);

    /**
     * The load begins, changes or ends.
     *
     * @param rateMsgPerSec how much is to be sent from now on; infinite for as much as the client takes and
     *     for rates that change as they go, 0 for nothing
     */
    default void load(double rateMsgPerSec) {}

    /** The errors of sends and of the client until now, by kind. Told with each {@link #tick}. */
    default void errors(Map<String, Long> byKind) {}

    /** What was used in the {@link #period} that has just ended. */
    default void resources(ResourcePeriod used) {}

    /** A step of the search has ended. */
    void searchStep(double targetMsgPerSec, double achievedMsgPerSec, boolean sustained);

    /** A step with a number of clients has ended. */
    default void loadStep(RunResult.LoadStep step) {}

    /** Tells nobody. */
    static RunListener silent() {
        return new RunListener() {
            @Override
            public void phase(RunPhase phase) {}

            @Override
            public void tick(RunPhase phase, Optional<Duration> left, Totals totals) {}

            @Override
            public void period(RunPhase phase, Optional<Duration> left, PeriodSnapshot period) {}

            @Override
            public void searchStep(double targetMsgPerSec, double achievedMsgPerSec, boolean sustained) {}
        };
    }

    /** Tells two, in this order. */
    static RunListener both(RunListener first, RunListener second) {
        return new BothListeners(first, second);
    }
}
