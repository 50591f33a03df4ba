package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.launch.NativeNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The processes of a cluster: its own epmd, through which Erlang's nodes find each other, and the nodes. */
record ClusterNodes(
        RabbitMqInstallation installation,
        RabbitMqClusterLayout layout,
        RabbitMqConfiguration configuration,
        BrokerLaunch launch) {

    private static final String EPMD = "epmd";

    private static final Duration EPMD_START_LIMIT = Duration.ofSeconds(30);

    /** A node is ready after about 5 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    /** Variables of Erlang and RabbitMQ that would change a node without showing in the settings kept with a result. */
    private static final List<String> REMOVED_PREFIXES = List.of("RABBITMQ_", "ERL_");

    /** Variables that the start script reads without a prefix, or that change its behaviour. */
    private static final Set<String> REMOVED_NAMES = Set.of(("BOOT_MODULE CONF_ENV_FILE CTL_ERL_ARGS"
                    + " DISTRIBUTION_BUFFER_SIZE MAX_NUMBER_OF_ATOMS MAX_NUMBER_OF_PROCESSES NOTIFY_SOCKET"
                    + " SCHEDULER_BIND_TYPE SCHEDULER_BUSY_WAIT_THRESHOLD SERVER_ADDITIONAL_ERL_ARGS SERVER_CODE_PATH"
                    + " SERVER_ERL_ARGS SERVER_START_ARGS USE_RABBIT_BOOT_SCRIPT")
            .split(" "));

    /**
     * Starts all processes and returns when they are ready. The first node starts alone: if several start at the same
     * time, they find each other half started and retry for seconds.
     *
     * @return the readiness, which also has the properties that the nodes report
     */
    Readiness start(RabbitMqLogin login) throws LocalBrokerException, InterruptedException {
        Map<String, String> environment = new HashMap<>();
        Path erlang = installation.erlang().prepare(launch.folder("erlang"));
        environment.put("PATH", erlang + File.pathSeparator + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
        environment.put("HOME", homeWithCookie().toString());
        environment.put("ERL_EPMD_PORT", Integer.toString(layout.epmd()));
        environment.put("ERL_EPMD_ADDRESS", ListenAddress.LOOPBACK.host());
        launch.startIndispensable(nativeNode(EPMD, List.of(erlang.resolve(EPMD).toString()), environment));
        // A node that starts before epmd would start one for all of Erlang on this machine, which nobody would end.
        String epmd = ListenAddress.LOOPBACK.withPort(layout.epmd());
        launch.await("Erlang's epmd to answer", EPMD_START_LIMIT, () -> LocalPorts.listens(epmd));
        Readiness readiness = new Readiness(layout, login);
        launch.start(node(1, environment));
        launch.await("RabbitMQ to be ready", START_LIMIT, () -> readiness.serves(1));
        for (int id = 2; id <= layout.nodes().size(); id++) {
            launch.start(node(id, environment));
        }
        launch.await(
                "the cluster of RabbitMQ to be complete",
                START_LIMIT.multipliedBy(layout.nodes().size()),
                () -> layout.ids().allMatch(readiness::serves) && readiness.belongTogether());
        return readiness;
    }

    /**
     * Writes a secret cookie into a new home folder and returns it: nodes, and other programs, can only talk to nodes
     * with the same cookie.
     */
    private Path homeWithCookie() throws LocalBrokerException {
        Path home = launch.folder("home");
        try {
            Path cookie = home.resolve(".erlang.cookie");
            Files.createFile(
                    cookie, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(cookie, UUID.randomUUID().toString());
            return home;
        } catch (IOException e) {
            throw new LocalBrokerException("cannot write Erlang's cookie in " + home + ": " + e, e);
        }
    }

    private NativeNode node(int id, Map<String, String> shared) throws LocalBrokerException {
        String name = "rabbitmq-" + id;
        Path folder = launch.folder(name);
        Map<String, String> environment = new HashMap<>(shared);
        environment.putAll(environment(id, folder));
        launch.write(name, "rabbitmq.conf", configuration.text(id));
        launch.write(name, "advanced.config", "[].\n");
        launch.write(name, "enabled_plugins", "[" + String.join(",", configuration.plugins()) + "].\n");
        launch.exporter(name, ListenAddress.LOOPBACK.withPort(layout.ports(id).prometheus()));
        return nativeNode(name, List.of(installation.startScript(folder)), environment);
    }

    /** Keeps a node away from the files of an installed RabbitMQ, and all its own files in its folder. */
    private Map<String, String> environment(int id, Path folder) {
        return Map.ofEntries(
                Map.entry("RABBITMQ_NODENAME", RabbitMqClusterLayout.nodeName(id)),
                Map.entry(
                        "RABBITMQ_DIST_PORT", Integer.toString(layout.ports(id).cluster())),
                Map.entry("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
                Map.entry("RABBITMQ_CONFIG_FILE", file(folder, "rabbitmq.conf")),
                Map.entry("RABBITMQ_CONFIG_FILES", file(folder, "conf.d")),
                Map.entry("RABBITMQ_ADVANCED_CONFIG_FILE", file(folder, "advanced.config")),
                Map.entry("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", file(folder, "enabled_plugins")),
                Map.entry("RABBITMQ_MNESIA_BASE", file(folder, BrokerLaunch.DATA)),
                Map.entry("RABBITMQ_LOG_BASE", file(folder, "log")),
                Map.entry("RABBITMQ_GENERATED_CONFIG_DIR", file(folder, "generated")),
                Map.entry("RABBITMQ_PID_FILE", file(folder, "rabbitmq.pid")),
                Map.entry("ERL_CRASH_DUMP", file(folder, "erl_crash.dump")),
                // With this, the start script becomes the broker instead of watching it.
                Map.entry("RUNNING_UNDER_SYSTEMD", "true"));
    }

    private static String file(Path folder, String name) {
        return folder.resolve(name).toString();
    }

    private static NativeNode nativeNode(String name, List<String> command, Map<String, String> environment) {
        Set<String> removed = System.getenv().keySet().stream()
                .filter(variable -> REMOVED_NAMES.contains(variable)
                        || REMOVED_PREFIXES.stream().anyMatch(variable::startsWith))
                .collect(Collectors.toSet());
        return new NativeNode(name, command, environment, removed, Duration.ZERO);
    }
}
