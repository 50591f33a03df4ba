package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import java.time.Duration;

/** Applies a load to the harness and returns the figures. */
@FunctionalInterface
public interface CalibratedLoad {

    /**
     * Runs one load from start to end.
     *
     * @param rate rate of all producers together
     * @param topics number of topics, with a partition, a producer and a consumer each
     * @param settle time that the load is on before it is measured
     * @param observe time that the load is measured
     * @throws CalibrationException if the load could not be started
     * @throws InterruptedException if the user wants to stop
     */
    PeriodSnapshot load(ProducerRate rate, int topics, Duration settle, Duration observe)
            throws CalibrationException, InterruptedException;
}
