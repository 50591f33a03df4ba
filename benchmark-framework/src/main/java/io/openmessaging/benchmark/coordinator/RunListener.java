package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
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
}
