package io.openmessaging.benchmark.dist;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Base class of tests of {@code bin/benchmark}, in an empty folder for each test, so that several can run side by
 * side.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class WithBenchmark {

    /** One producer and one consumer of one partition; the test adds the rate and the duration. */
    static final String ONE_OF_EACH = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            """;

    /** Value before {@link #inTheFolder()}. */
    private static final Benchmark NOWHERE = new Benchmark(Path.of(""));

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    Benchmark benchmark = NOWHERE;

    @BeforeEach
    void inTheFolder() {
        benchmark = new Benchmark(folder);
    }
}
