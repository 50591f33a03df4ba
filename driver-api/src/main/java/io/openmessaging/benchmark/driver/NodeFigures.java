package io.openmessaging.benchmark.driver;

import java.util.Map;

/**
 * Figures that one node of a system reports about itself during a run, such as the memory it uses. Read about once a
 * second by a separate thread, in parallel with everything else that the driver does; never on the path of a message.
 */
public interface NodeFigures extends AutoCloseable {

    /** The node, as one of {@link BenchmarkDriver#addresses}. */
    String address();

    /**
     * Returns the current figures under the system's own names; the framework picks those that it knows and ignores
     * the others. Connects if there is no connection. Blocks up to the timeout given at creation.
     *
     * @throws DriverException if the node cannot be reached or refuses; the message says so in a sentence. Reading is
     *     tried again later, and the run continues
     */
    Map<String, Double> read() throws DriverException, InterruptedException;

    /** Makes a current {@link #read} fail and releases resources. Called once, by any thread. */
    @Override
    void close();
}
