package io.openmessaging.benchmark.cli.fault;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.config.Fault.Type;
import io.openmessaging.benchmark.run.FaultMeans.Begun;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A fault of one or more nodes. */
final class NodeFault implements Begun {

    private final Fault fault;
    private final List<String> nodes;
    private final RunningBroker broker;
    private final List<String> output = new ArrayList<>();

    /** Creates a fault that starts with {@link #begin}. */
    NodeFault(Fault fault, List<String> nodes, RunningBroker broker) {
        this.fault = fault;
        this.nodes = nodes;
        this.broker = broker;
    }

    /** Starts the fault on all nodes, or on none. */
    void begin() throws FaultException, InterruptedException {
        if (fault.kind() == Type.STOP) {
            stop();
        } else {
            beginOneByOne();
        }
    }

    private void stop() throws FaultException, InterruptedException {
        try {
            broker.stop(nodes);
        } catch (LocalBrokerException e) {
            undo(nodes);
            throw new FaultException(String.valueOf(e.getMessage()), e);
        }
    }

    private void beginOneByOne() throws FaultException, InterruptedException {
        List<String> done = new ArrayList<>();
        for (String node : nodes) {
            try {
                begin(node);
                done.add(node);
            } catch (LocalBrokerException | IllegalStateException e) {
                undo(done);
                throw new FaultException(String.valueOf(e.getMessage()), e);
            } catch (InterruptedException e) {
                if (!takesBackItself()) {
                    done.add(node);
                }
                undo(done);
                throw e;
            }
        }
    }

    private void begin(String node) throws LocalBrokerException, InterruptedException {
        switch (fault.kind()) {
            case KILL -> broker.kill(node);
            case PAUSE -> broker.pause(node);
            case ISOLATE -> broker.isolate(node);
            case DELAY -> {
                Duration took = broker.delay(node, fault.delayBy());
                output.add(
                        String.format(Locale.ROOT, "a round trip to %s then took %.1f ms", node, took.toNanos() / 1e6));
            }
            case FILL_DISK -> broker.fillDisk(node);
            case STOP, RUN ->
                throw new IllegalStateException(fault.kind() + " is not done to one node after the other");
        }
    }

    /** Returns whether the fault undoes itself if its start is interrupted. */
    private boolean takesBackItself() {
        return fault.kind() == Type.ISOLATE || fault.kind() == Type.DELAY || fault.kind() == Type.FILL_DISK;
    }

    @Override
    public String what() {
        return fault.kind().done() + " " + String.join(", ", nodes)
                + (fault.kind() == Type.DELAY ? " by " + DurationText.format(fault.delayBy()) : "")
                + (fault.target().startsWith("node-") ? "" : " (" + fault.target() + ")");
    }

    @Override
    public List<String> output() {
        return output;
    }

    @Override
    public void undo() throws FaultException, InterruptedException {
        undo(nodes);
    }

    /** Undoes the fault on each node; a failure on one does not stop the others. */
    private void undo(List<String> some) throws FaultException, InterruptedException {
        List<String> problems = new ArrayList<>();
        for (String node : some) {
            try {
                undo(node);
            } catch (LocalBrokerException | IllegalStateException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new FaultException(String.join("; ", problems));
        }
    }

    private void undo(String node) throws LocalBrokerException, InterruptedException {
        switch (fault.kind()) {
            case KILL, STOP -> broker.startAgain(node);
            case PAUSE -> broker.resume(node);
            case ISOLATE -> broker.join(node);
            case DELAY -> broker.endDelay(node);
            case FILL_DISK -> {
                if (broker.freeDisk(node)) {
                    output.add(node + " exited while its disk was full, and was restarted");
                }
            }
            case RUN -> throw new IllegalStateException("a command has no nodes");
        }
    }
}
