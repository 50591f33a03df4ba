package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import java.time.Duration;

/** Puts a load on the harness and says what came of it. */
@FunctionalInterface
public interface CalibratedLoad {

    /**
     * One load, from its begin to its end.
     *
     * @param rate of all producers together
     * @param topics with a partition, a producer and a consumer each
     * @param settle how long the load is on before it is measured
     * @param observe how long it is measured
     * @throws CalibrationException if the load could not be put on
     * @throws InterruptedException if the user wants to stop
     */
    PeriodSnapshot load(ProducerRate rate, int topics, Duration settle, Duration observe)
            throws CalibrationException, InterruptedException;
}
