package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitGroup;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Starts a broker that outlives the command. */
@Command(
        name = "start",
        description = "Starts a broker that runs until it is stopped, or restarts a node that has ended.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields
final class StartCommand implements Callable<Integer> {

    @ParentCommand
    private BrokerCommand parent;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", index = "0", description = BrokerCommand.WHICH_BROKER)
    private LocalBroker broker;

    @Parameters(paramLabel = "NODE", index = "1", arity = "0..1", description = BrokerCommand.WHICH_NODE)
    private @Nullable String node;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "1", description = "How many nodes (default: 1).")
    private int nodes;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Address of this machine where clients, and anyone else on that network, reach the broker (default:"
                            + " 127.0.0.1, which only this machine can reach).")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Port of the first node, 0 for a free one (default: the usual port of the system).")
    private @Nullable Integer port;

    @Option(
            names = "--version",
            paramLabel = "V",
            defaultValue = "current",
            description =
                    "Which version: current, the one that this project is tested with and fetches, or system, the"
                            + " one that is installed on this machine; for RabbitMQ, Redis, Valkey and NATS (default: current).")
    private Version version;

    @Option(names = "--heap", paramLabel = "H", description = "Heap of each node that is a JVM, such as 512m or 2g.")
    private @Nullable String heap;

    @Option(
            names = "--limit-cpus",
            paramLabel = "N",
            description = "How many processors each process of the broker may use, such as 2 or 0.5.")
    private @Nullable Double limitCpus;

    @Option(
            names = "--limit-memory",
            paramLabel = "SIZE",
            description = "How much memory each process of the broker may use, such as 512m or 2g.")
    private @Nullable String limitMemory;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "An entry of the broker's own configuration; may be repeated.")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--tls",
            description = "Encrypts the connections of clients, with certificates made for this broker.")
    private boolean tls;

    @Option(
            names = "--auth",
            description =
                    "Requires clients to log in, with a password made for this broker. With --tls or --auth, the broker's"
                            + " folder contains a driver file for it.")
    private boolean auth;

    @Option(
            names = "--exporter",
            description =
                    "Nodes that are JVMs export heap and garbage collection to Prometheus; the addresses are printed.")
    private boolean exporter;

    @Override
    public Integer call() throws Exception {
        RunFolder folder = parent.folder(broker);
        if (node != null) {
            startAgain(folder, node);
            return CommandLine.ExitCode.OK;
        }
        LocalBrokerOptions options = options(folder);
        RecordedBroker started = folder.exclusively(() -> {
            makeRoom(folder);
            return start(folder, options);
        });
        parent.out().println(started.describe());
        started.nodes().forEach(node -> parent.out().println(node.describe("")));
        if (tls || auth) {
            parent.out().println("  driver file  " + RunningBroker.driverFile(folder.data()));
        }
        ListenAddress address = options.place().address();
        if (!address.isLoopback() && !auth) {
            parent.out()
                    .println("warning: no authentication: anyone on the network of " + address.host() + " can use this "
                            + broker.name() + "; --auth requires a login");
        }
        return CommandLine.ExitCode.OK;
    }

    private void startAgain(RunFolder folder, String name) throws Exception {
        if (!spec.commandLine().getParseResult().matchedOptions().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "a node restarts with its original options: omit the options");
        }
        parent.out().println(folder.exclusively(() -> {
            RecordedBroker recorded = folder.recorded();
            RecordedNode started = recorded.node(name).startAgain();
            folder.save(recorded.with(started));
            return "started " + name + " (pid " + started.pid() + ")";
        }));
    }

    private void makeRoom(RunFolder folder) throws IOException, LocalBrokerException {
        Optional<RecordedBroker> earlier = folder.load();
        if (earlier.isPresent()) {
            if (!earlier.get().running().isEmpty()) {
                throw new LocalBrokerException(broker.name() + " is already running: "
                        + earlier.get().describe() + "; bin/broker stop " + broker.name() + " stops it");
            }
            LimitGroup.remove(earlier.get().limitGroups());
        }
        if (folder.exists()) {
            parent.out().println("removing what an earlier " + broker.name() + " left behind");
            folder.remove();
        }
    }

    private LocalBrokerOptions options(RunFolder folder) {
        try {
            ListenAddress address = host == null ? ListenAddress.LOOPBACK : ListenAddress.ofThisMachine(host);
            int firstPort = port == null ? broker.usualPort() : port;
            Location place = new Location(parent.home(), folder.data(), address, firstPort, Lifetime.UNTIL_STOPPED);
            return new LocalBrokerOptions(
                    version,
                    nodes,
                    new Jvm(heap, exporter),
                    settings,
                    confinement(),
                    new Security(tls, auth),
                    place,
                    parent.out()::println);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private Confinement confinement() {
        if (limitCpus == null && limitMemory == null) {
            return Confinement.NONE;
        }
        if (limitCpus != null && !(limitCpus >= ProcessLimit.LEAST_CPUS && limitCpus <= ProcessLimit.MOST_CPUS)) {
            throw new IllegalArgumentException("--limit-cpus " + ProcessLimit.CPUS_RULE + ", got " + limitCpus);
        }
        Confinement confinement = Confinement.ofBroker(
                new ProcessLimit(limitCpus, limitMemoryBytes()), broker.kind(), LimitMechanisms.ofThisMachine());
        parent.out().println("limits: " + confinement.enforcement().describe());
        return confinement;
    }

    private @Nullable Long limitMemoryBytes() {
        try {
            return limitMemory == null ? null : ProcessLimit.memoryBytes(limitMemory);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--limit-memory " + e.getMessage() + ", got " + limitMemory, e);
        }
    }

    private RecordedBroker start(RunFolder folder, LocalBrokerOptions options)
            throws IOException, LocalBrokerException, InterruptedException {
        RunningBroker running = broker.start(options);
        try {
            RecordedBroker started = RecordedBroker.of(running);
            folder.save(started);
            return started;
        } catch (IOException e) {
            // Without a record nobody could stop it.
            running.close();
            throw e;
        }
    }
}
