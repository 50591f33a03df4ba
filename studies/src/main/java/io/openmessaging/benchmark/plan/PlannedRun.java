package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.metric.Weakness;
import java.time.Duration;

/**
 * One run of a plan, with everything that it needs.
 *
 * @param number its position in the plan, from 1
 * @param cell repeated cell
 * @param repetition number of the repetition, from 1
 * @param selected whether the user selected it
 * @param fileName of its result, without a folder
 * @param setup the same for all repetitions
 */
public record PlannedRun(int number, Cell cell, int repetition, boolean selected, String fileName, Setup setup) {

    /** Returns whether its workload expects that the system fails. */
    public boolean isExpectedToFail() {
        return setup.workload().workload().expect().contains(Weakness.FAILURE);
    }

    /**
     * The setup of a cell's runs.
     *
     * @param workload workload to run
     * @param driver driver file; the same object for all runs that could share a broker
     * @param cooldown waiting time before a run that follows another run
     * @param restartBroker whether a run needs a new local broker
     */
    public record Setup(WorkloadFile workload, DriverFile driver, Duration cooldown, boolean restartBroker) {}
}
