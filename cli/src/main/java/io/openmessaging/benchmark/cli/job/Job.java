package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.result.file.ResultFileException;
import java.io.PrintWriter;
import java.util.List;

/** What the command line asks to be run, read and checked. */
public interface Job {

    /** Those of the runs that are wanted, each once. */
    List<ConfiguredDriver> drivers();

    /** What is wanted to run with one of them, each once. */
    List<WorkloadFile> workloadsOf(ConfiguredDriver driver);

    /**
     * Looks whether results can be written, without creating anything: {@link #run} finds out itself.
     *
     * @throws ResultFileException if they cannot
     */
    void look() throws ResultFileException;

    /** Prints what would run and for how long, without touching a broker. */
    void describe(BrokerStarter starter, PrintWriter out);

    /**
     * Runs everything; a run that fails does not keep the next one from being run.
     *
     * @return the exit code
     * @throws UserException if nothing can be run
     * @throws ResultFileException if results cannot be written
     */
    int run(Invocation session) throws UserException, ResultFileException;
}
