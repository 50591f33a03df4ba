package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.program.ProgramPath;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Starts RabbitMQ, one node or a cluster, with the plugins for streams and for metrics: the one in Debian's packages,
 * or the one of this machine if the user wants that or packages cannot be fetched. Only the ports for clients listen
 * beyond loopback, and nothing is shared with another RabbitMQ or Erlang on this machine.
 *
 * <p>{@link LocalBrokerOptions#settings()} are entries of {@code rabbitmq.conf}. Unless they say otherwise, all nodes
 * together may use as much memory as a single one does by default, 40 % of the machine's, before they stop publishers;
 * they also stop publishers when less than 500 MB of disk are free. Clients log in as {@code guest}.
 *
 * <p>The endpoint {@code stream} is for clients of streams, {@code prometheus} serves metrics over HTTP.
 */
public final class RabbitMqLocalBroker extends LocalBroker {

    private final ProgramPath programs;

    /** Uses the programs of this machine. */
    public RabbitMqLocalBroker() {
        this(ProgramPath.ofThisMachine());
    }

    /** Uses programs, {@code rabbitmq-server} and {@code epmd} or those that fetch them, from other folders. */
    RabbitMqLocalBroker(ProgramPath programs) {
        super("rabbitmq", Confinement.ProcessType.NATIVE, 5672);
        this.programs = programs;
    }

    @Override
    public Offer offer() {
        return RabbitMqInstallation.PACKAGES.offer(RabbitMqInstallation.PROGRAM, programs);
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        RabbitMqConfiguration.check(options.settings());
        RabbitMqInstallation installation = RabbitMqInstallation.find(programs, options);
        RabbitMqClusterLayout layout = RabbitMqClusterLayout.free(
                options.place().address(), options.nodes(), options.place().firstPort());
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(layout.allPorts());
            Credentials credentials = launch.credentials();
            RabbitMqConfiguration configuration =
                    RabbitMqConfiguration.of(options.settings(), layout).with(credentials);
            RabbitMqLogin login = RabbitMqLogin.of(options.settings()).with(credentials);
            Readiness nodes = new ClusterNodes(installation, layout, configuration, launch).start(login);
            launch.writeDriverFile(driverFile(credentials, login, layout));
            Map<String, String> settings = new TreeMap<>(configuration.tuning());
            settings.put("nodes", Integer.toString(options.nodes()));
            settings.put("platform", nodes.told("platform", "unknown"));
            settings.put("data file system", launch.fileSystem());
            return launch.complete(
                    nodes.told("product", "RabbitMQ"),
                    nodes.told("version", "unknown"),
                    layout.addresses(RabbitMqClusterLayout.NodePorts::amqp),
                    Map.of("stream", layout.addresses(RabbitMqClusterLayout.NodePorts::stream)),
                    settings);
        }
    }

    private static String driverFile(Credentials credentials, RabbitMqLogin login, RabbitMqClusterLayout layout) {
        String user = login.user() + ":" + (credentials.login() ? credentials.passwordReference() : login.password());
        String scheme = credentials.tls() ? "amqps://" : "amqp://";
        String uris = layout.addresses(RabbitMqClusterLayout.NodePorts::amqp).stream()
                .map(address -> "  - " + scheme + user + "@" + address + "\n")
                .collect(Collectors.joining());
        return """
                name: RabbitMQ, secured
                driverClass: io.openmessaging.benchmark.driver.rabbitmq.RabbitMqBenchmarkDriver
                queueType: QUORUM
                amqpUris:
                %sstreamAddresses: %s
                """.formatted(uris, layout.addresses(RabbitMqClusterLayout.NodePorts::stream))
                + credentials.tlsLines("trustStore");
    }
}
