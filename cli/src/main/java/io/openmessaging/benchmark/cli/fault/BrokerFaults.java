package io.openmessaging.benchmark.cli.fault;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.config.Fault.Type;
import io.openmessaging.benchmark.faults.FaultTools;
import io.openmessaging.benchmark.faults.Separation;
import io.openmessaging.benchmark.fleet.FleetRequest;
import io.openmessaging.benchmark.fleet.WorkerFaults;
import io.openmessaging.benchmark.limits.ProcessLimit;
import io.openmessaging.benchmark.run.FaultMeans;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Causes faults of the nodes of a broker that was started for the run, and runs commands for other systems. If this
 * process dies, guards that were started before undo the faults: they end nodes, paused or not, and with them the disks
 * that only the nodes see, and remove firewall rules.
 */
public final class BrokerFaults implements FaultMeans {

    private final Optional<RunningBroker> broker;

    /** Creates faults for the broker that was started for the run, if any. */
    public BrokerFaults(Optional<RunningBroker> broker) {
        this.broker = broker;
    }

    /**
     * The nodes that a local broker will have.
     *
     * @param containers whether they are containers, whose processes are barely visible from here
     */
    public record Nodes(int count, boolean containers) {}

    /**
     * Returns why faults are not possible, a line each; empty if they are.
     *
     * @param nodes of the local broker; empty if none is started for the run
     * @param fleet the workers; empty if the load comes from this process
     * @param tools tools of this machine
     */
    public static List<String> cannot(
            List<Fault> faults, Optional<Nodes> nodes, Optional<FleetRequest> fleet, FaultTools tools) {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            Fault fault = faults.get(i);
            int index = i;
            Optional<String> whyNot = fault.worker().isPresent()
                    ? WorkerFaults.whyNot(fault, faults, fleet)
                    : whyNot(fault, nodes, tools);
            whyNot.ifPresent(reason -> problems.add("faults[" + index + "]: " + reason));
        }
        return problems;
    }

    private static Optional<String> whyNot(Fault fault, Optional<Nodes> nodes, FaultTools tools) {
        if (fault.kind() == Type.RUN) {
            return Optional.empty();
        }
        if (nodes.isEmpty()) {
            return Optional.of(fault.kind().key() + " needs a broker that is started for the run (--brokers local);"
                    + " for a broker elsewhere, use run and undo");
        }
        Optional<String> noSuchTarget = whyNoTarget(fault.target(), nodes.get().count());
        return noSuchTarget.isPresent() ? noSuchTarget : whyNoMeans(fault.kind(), nodes.get(), tools);
    }

    private static Optional<String> whyNoTarget(String target, int count) {
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

    private static Optional<String> whyNoMeans(Type kind, Nodes nodes, FaultTools tools) {
        boolean network = kind == Type.ISOLATE || kind == Type.DELAY;
        if (!network && kind != Type.FILL_DISK) {
            return Optional.empty();
        }
        if (nodes.containers()) {
            return Optional.of(kind.key() + " is for nodes that are processes, and these are containers; use run and"
                    + " undo with your own commands, such as docker network disconnect and connect");
        }
        Optional<String> lack = network ? tools.whyNoFirewall() : tools.whyNoDisk();
        String needs = network
                ? "nftables rules for the sockets of one node, which need root, nft and control groups of version 2"
                : "a separate disk for each node, which needs root, loop devices and mkfs.ext4";
        return lack.map(reason -> kind.key() + " needs " + needs + ": " + reason
                + "; run as root where these are available, or use run and undo with your own commands");
    }

    /** Returns what nodes need of their own at their start, for these faults. */
    public static Separation separation(List<Fault> faults) {
        boolean relay = faults.stream().anyMatch(fault -> fault.kind() == Type.DELAY);
        return new Separation(
                relay || faults.stream().anyMatch(fault -> fault.kind() == Type.ISOLATE),
                relay,
                faults.stream()
                        .filter(fault -> fault.kind() == Type.FILL_DISK)
                        .mapToLong(Fault::diskBytes)
                        .max()
                        .orElse(0));
    }

    /** Describes a fault and how it will be caused. */
    public static String describe(Fault fault) {
        String pid = Long.toString(ProcessHandle.current().pid());
        String means = switch (fault.kind()) {
            case KILL ->
                fault.endsWorker()
                        ? "SIGKILL; the run continues without it"
                        : "SIGKILL, then started again on its data";
            case STOP -> "SIGTERM, then started again on its data";
            case PAUSE -> "SIGSTOP, then SIGCONT";
            case ISOLATE -> "nftables, table omb_" + pid + "_<node>";
            case DELAY -> "a relay in front of all nodes for the whole run, nftables, table omb_" + pid + "_relay";
            case FILL_DISK ->
                "a file on a disk of its own, ext4 of " + ProcessLimit.memoryText(fault.diskBytes())
                        + " on a loop device";
            case RUN -> "then " + fault.undo();
        };
        return fault.kind().key() + " " + fault.target()
                + (fault.kind() == Type.DELAY ? " by " + DurationText.format(fault.delayBy()) : "")
                + " at " + DurationText.format(fault.begin())
                + (fault.endsWorker()
                        ? ""
                        : " for " + DurationText.format(fault.end().minus(fault.begin()))) + ": "
                + means;
    }

    @Override
    public Begun begin(Fault fault, Leader leader) throws FaultException, InterruptedException {
        if (fault.kind() == Type.RUN) {
            return CommandFault.begin(fault);
        }
        RunningBroker running =
                broker.orElseThrow(() -> new FaultException("no broker was started for the run that could be "
                        + fault.kind().done()));
        NodeFault begun = new NodeFault(fault, targets(fault.target(), running, leader), running);
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
                .orElseThrow(() -> new FaultException(running.product() + " does not say which node leads"));
        int index = running.addresses().indexOf(address);
        if (index < 0) {
            throw new FaultException("the leader " + address + " is not one of the nodes that were started, "
                    + String.join(", ", running.addresses()));
        }
        return index;
    }
}
