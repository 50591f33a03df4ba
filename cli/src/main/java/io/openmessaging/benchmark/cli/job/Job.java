package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.result.file.ResultFileException;
import java.io.PrintWriter;
import java.util.List;

/** The runs that the command line requests, read and checked. */
public interface Job {

    /** Returns the drivers of the runs, each once. */
    List<ConfiguredDriver> drivers();

    /** Returns the workloads that run with a driver, each once. */
    List<WorkloadFile> workloadsOf(ConfiguredDriver driver);

    /**
     * Checks whether results can be written, without creating anything; {@link #run} checks that itself.
     *
     * @throws ResultFileException if they cannot
     */
    void look() throws ResultFileException;

    /** Prints what would run and for how long, without touching a broker. */
    void describe(BrokerStarter starter, PrintWriter out);

    /**
     * Runs everything; continues with the next run if one fails.
     *
     * @return the exit code
     * @throws UserException if nothing can be run
     * @throws ResultFileException if results cannot be written
     */
    int run(Invocation session) throws UserException, ResultFileException;
}
