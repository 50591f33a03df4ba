package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.run.FaultMeans;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Does things to the nodes of a broker that was started for the run, and runs commands for systems elsewhere. What it has
 * done to nodes needs no other undo if this process dies: a guard of each node ends it then, paused or not.
 */
final class BrokerFaults implements FaultMeans {

    private final Optional<RunningBroker> broker;

    /** Of the broker that was started for the run, if one was. */
    BrokerFaults(Optional<RunningBroker> broker) {
        this.broker = broker;
    }

    /**
     * Why faults cannot be done, as a line each; none if they can.
     *
     * @param nodes how many nodes the local broker will have; empty if none is started for the run
     */
    static List<String> cannot(List<Fault> faults, Optional<Integer> nodes) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            int index = i;
            whyNot(fault, nodes).ifPresent(reason -> problems.add("faults[" + index + "]: " + reason));
        }
        return problems;
    }

    private static Optional<String> whyNot(Fault fault, Optional<Integer> nodes) {
        if (fault.kind() == Fault.Kind.RUN) {
            return Optional.empty();
        }
        if (nodes.isEmpty()) {
            return Optional.of("kill, stop and pause need a broker that is started for the run (--brokers local);"
                    + " for one elsewhere use run and undo");
        }
        String target = fault.target();
        int count = nodes.get();
        int number = target.startsWith("node-") ? Integer.parseInt(target.substring("node-".length())) : 1;
        if (number > count) {
            return Optional.of("there is no " + target + ", the broker has " + count + " node" + (count > 1 ? "s" : "")
                    + " (--local-nodes)");
        }
        int least = target.equals("follower") ? 2 : target.equals("minority") ? 3 : 1;
        return count < least
                ? Optional.of("a " + target + " needs a broker of at least " + least + " nodes (--local-nodes)")
                : Optional.empty();
    }

    @Override
    public Begun begin(Fault fault, Leader leader) throws FaultException, InterruptedException {
        if (fault.kind() == Fault.Kind.RUN) {
            return CommandFault.begin(fault);
        }
        RunningBroker running =
                broker.orElseThrow(() -> new FaultException("no broker was started for the run that could be "
                        + fault.kind().done()));
        List<String> nodes = targets(fault.target(), running, leader);
        String what = fault.kind().done() + " " + String.join(", ", nodes)
                + (fault.target().startsWith("node-") ? "" : " (" + fault.target() + ")");
        NodeFault begun = new NodeFault(fault.kind(), nodes, running, what);
        begun.begin();
        return begun;
    }

    private static List<String> targets(String target, RunningBroker running, Leader leader)
            throws FaultException, InterruptedException {
        List<String> nodes = running.servers();
        switch (target) {
            case "all":
                return nodes;
            case "minority":
                return nodes.subList(0, (nodes.size() - 1) / 2);
            case "leader", "follower":
                if (nodes.size() == 1) {
                    return nodes;
                }
                int index = indexOfLeader(running, leader);
                return List.of(nodes.get(target.equals("leader") ? index : (index + 1) % nodes.size()));
            default:
                int number = Integer.parseInt(target.substring("node-".length()));
                if (number > nodes.size()) {
                    throw new FaultException("there is no " + target + " among " + String.join(", ", nodes));
                }
                return List.of(nodes.get(number - 1));
        }
    }

    private static int indexOfLeader(RunningBroker running, Leader leader) throws FaultException, InterruptedException {
        String address = leader.address()
                .orElseThrow(() -> new FaultException(running.product() + " does not tell which node leads"));
        int index = running.addresses().indexOf(address);
        if (index < 0) {
            throw new FaultException("the leader " + address + " is none of the nodes that were started, "
                    + String.join(", ", running.addresses()));
        }
        return index;
    }

    /** Nodes that something was done to. */
    private record NodeFault(Fault.Kind kind, List<String> nodes, RunningBroker broker, String what) implements Begun {

        void begin() throws FaultException, InterruptedException {
            List<String> done = new ArrayList<>();
            for (String node : nodes) {
                try {
                    switch (kind) {
                        case KILL -> broker.kill(node);
                        case STOP -> broker.stop(node);
                        case PAUSE -> broker.pause(node);
                        case RUN -> throw new IllegalStateException("a command has no nodes");
                    }
                    done.add(node);
                } catch (LocalBrokerException | IllegalStateException e) {
                    undo(done);
                    throw new FaultException(String.valueOf(e.getMessage()), e);
                }
            }
        }

        @Override
        public void undo() throws FaultException, InterruptedException {
            undo(nodes);
        }

        private void undo(List<String> some) throws FaultException, InterruptedException {
            for (String node : some) {
                try {
                    if (kind == Fault.Kind.PAUSE) {
                        broker.resume(node);
                    } else {
                        broker.startAgain(node);
                    }
                } catch (LocalBrokerException e) {
                    throw new FaultException(String.valueOf(e.getMessage()), e);
                }
            }
        }
    }
}
