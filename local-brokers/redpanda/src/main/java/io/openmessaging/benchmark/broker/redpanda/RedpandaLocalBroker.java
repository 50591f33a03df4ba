package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.HttpProbe;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.program.ProgramPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Starts Redpanda in Docker, one container per node. No package registry has Redpanda, so it cannot be started if no
 * Docker engine answers.
 */
public final class RedpandaLocalBroker extends LocalBroker {

    private static final int USUAL_ADMIN_PORT = 9644;

    private static final String PROGRAM = "docker";

    /** The driver handles this endpoint. */
    private static final String ADMIN_ENDPOINT = "admin";

    private static final String WHAT_TO_DO =
            "Redpanda runs in a container only: start a Docker engine, or start your own Redpanda, point the"
                    + " driver file to it and use --brokers external";

    /** A node is ready within seconds; most of the limit is for the download of the image on first use. */
    private static final Duration START_LIMIT = Duration.ofMinutes(10);

    /** Thrown if there is no Docker engine. */
    private static final class NoDockerException extends BrokerUnavailableException {

        private static final long serialVersionUID = 1L;

        /** The reason and advice, without Docker's output. */
        private final String reason;

        NoDockerException(String reason, String details, @Nullable Throwable cause) {
            super("Redpanda cannot be started here: " + reason + details, cause);
            this.reason = reason;
        }
    }

    private final ProgramPath programs;
    private final Duration startLimit;

    /** Uses the programs of this machine. */
    public RedpandaLocalBroker() {
        this(ProgramPath.ofThisMachine(), START_LIMIT);
    }

    /** Uses a {@code docker} from other folders. */
    RedpandaLocalBroker(ProgramPath programs, Duration startLimit) {
        super("redpanda", Confinement.ProcessType.CONTAINER, 9092);
        this.programs = programs;
        this.startLimit = startLimit;
    }

    @Override
    public Offer offer() throws InterruptedException {
        String system = "Redpanda " + ContainerSettings.IMAGE.replaceFirst(".*:v", "");
        try {
            docker();
            return new Offer(system, Optional.empty());
        } catch (NoDockerException e) {
            return new Offer(system, Optional.of(e.reason));
        }
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        ContainerSettings settings = ContainerSettings.of(options);
        NativeProgram docker = docker();
        ContainerCluster cluster = cluster(options, settings);
        options.progress().accept("starting " + settings.image() + " in Docker, which fetches it on first use");
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            if (!cluster.network().isEmpty()) {
                docker.print("network", "create", cluster.network());
            }
            for (int node = 1; node <= cluster.nodes(); node++) {
                launch.start(cluster.process(Path.of(docker.name()), node));
            }
            AdminProbe probe = new AdminProbe(cluster.adminAddresses());
            launch.await("Redpanda to be ready", startLimit, probe::allServe);
            Map<String, String> kept = new TreeMap<>(settings.asMap());
            kept.put("container", "Docker");
            kept.put("nodes", Integer.toString(cluster.nodes()));
            return launch.complete(
                    "Redpanda",
                    probe.version().orElse("unknown"),
                    cluster.kafkaAddresses(),
                    Map.of(ADMIN_ENDPOINT, cluster.adminAddresses()),
                    kept);
        }
    }

    /** Returns Docker's client, if an engine answers it. */
    private NativeProgram docker() throws NoDockerException, InterruptedException {
        Optional<Path> client = programs.find(PROGRAM);
        if (client.isEmpty()) {
            throw new NoDockerException("there is no program docker on the PATH. " + WHAT_TO_DO, "", null);
        }
        NativeProgram docker = new NativeProgram("Docker", List.of(client.get().toString()));
        try {
            docker.print("info", "--format", "{{.ServerVersion}}");
            return docker;
        } catch (LocalBrokerException e) {
            throw new NoDockerException("no Docker engine responds. " + WHAT_TO_DO, ". " + e.getMessage(), e);
        }
    }

    /** If the first port is given, the Admin API of the first node also gets its default port, if that is free. */
    private static ContainerCluster cluster(LocalBrokerOptions options, ContainerSettings settings)
            throws LocalBrokerException {
        int nodes = options.nodes();
        ListenAddress address = options.place().address();
        List<Integer> ports =
                LocalPorts.free(address, 2 * nodes, options.place().firstPort(), Map.of(nodes, USUAL_ADMIN_PORT));
        String name = "benchmark-redpanda-" + UUID.randomUUID().toString().substring(0, 8);
        return new ContainerCluster(name, settings, address, ports.subList(0, nodes), ports.subList(nodes, 2 * nodes));
    }

    /**
     * Queries the Admin API of nodes for their readiness and version. There is no other source: Docker opens a
     * published port before the node listens behind it, and Kafka's protocol does not report Redpanda's version.
     *
     * @param addresses the addresses of the nodes' Admin API
     */
    private record AdminProbe(List<String> addresses) {

        private static final Pattern READY = Pattern.compile("\"status\"\\s*:\\s*\"ready\"");
        private static final Pattern ALIVE = Pattern.compile("\"is_alive\"\\s*:\\s*true");
        private static final Pattern VERSION = Pattern.compile("\"version\"\\s*:\\s*\"v?([^ \"]+)");

        private static final String BROKERS = "/v1/brokers";

        /** Returns whether each node is ready and the first one sees all of them. */
        boolean allServe() {
            return addresses.stream()
                            .allMatch(address -> READY.matcher(text(address, "/v1/status/ready"))
                                    .find())
                    && ALIVE.matcher(text(addresses.get(0), BROKERS)).results().count() == addresses.size();
        }

        /** Returns the version of the first node; empty if it does not report one. */
        Optional<String> version() {
            Matcher version = VERSION.matcher(text(addresses.get(0), BROKERS));
            return version.find() ? Optional.of(version.group(1)) : Optional.empty();
        }

        private static String text(String address, String path) {
            return HttpProbe.ask(address, path, "", null).text();
        }
    }
}
