package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import java.time.Duration;

/**
 * One run of a plan, with everything that it needs.
 *
 * @param number its place in the plan, from 1
 * @param cell what it is a repetition of
 * @param repetition which, from 1
 * @param selected whether it is one of those that are wanted
 * @param fileName of its result, without a folder
 * @param setup the same for all repetitions
 */
public record PlannedRun(int number, Cell cell, int repetition, boolean selected, String fileName, Setup setup) {

    /**
     * What a cell is run with.
     *
     * @param workload what is run
     * @param driver with what; the same object for all runs that could share a broker
     * @param cooldown how long to wait before a run, if another run was before it
     * @param restartBroker whether a run needs a local broker that nobody has used before
     */
    public record Setup(WorkloadFile workload, DriverFile driver, Duration cooldown, boolean restartBroker) {}
}
