package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.faults.ProcessSignals;
import io.openmessaging.benchmark.faults.ProcessSignals.Signal;
import java.io.IOException;

/** {@link ProcessSignals} for nodes, with the exceptions of a local broker. */
public final class NodeSignals {

    private NodeSignals() {}

    /**
     * Sends a signal to a node and to all processes that it started.
     *
     * @throws LocalBrokerException if it cannot be sent
     */
    public static void send(String node, long pid, Signal signal) throws LocalBrokerException, InterruptedException {
        orRefuse(() -> ProcessSignals.send(node, pid, signal));
    }

    /**
     * Pauses a node, and returns when it has stopped.
     *
     * @throws LocalBrokerException if the signal cannot be sent, or the node has not stopped after ten seconds
     */
    public static void pause(String node, long pid) throws LocalBrokerException, InterruptedException {
        orRefuse(() -> ProcessSignals.pause(node, pid));
    }

    private interface Sending {
        void send() throws IOException, InterruptedException;
    }

    private static void orRefuse(Sending sending) throws LocalBrokerException, InterruptedException {
        try {
            sending.send();
        } catch (IOException e) {
            throw new LocalBrokerException(String.valueOf(e.getMessage()), e);
        }
    }
}
