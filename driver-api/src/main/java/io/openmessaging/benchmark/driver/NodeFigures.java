package io.openmessaging.benchmark.driver;

import java.util.Map;

/**
 * What one node of a system reports of itself during a run, such as the memory it uses. Used about once a second by
 * a thread of its own, beside everything else that the driver does; nothing on the way of a message.
 */
public interface NodeFigures extends AutoCloseable {

    /** The node, as one of {@link BenchmarkDriver#addresses}. */
    String address();

    /**
     * The figures now, under the names that the system gives them; the framework knows which of them mean what, and
     * leaves the others. Connects if there is no connection (yet, or any more). Blocks up to the timeout that was given.
     *
     * @throws DriverException if the node cannot be reached or refuses; the message says so in a sentence. It is asked
     *     again all the same, and the run continues
     */
    Map<String, Double> read() throws DriverException, InterruptedException;

    /** Makes a {@link #read} that is under way fail, and gives back what is held. Called once, by any thread. */
    @Override
    void close();
}
