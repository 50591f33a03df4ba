package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.broker.fetch.ProgramPath;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.broker.launch.NativeNode;
import io.openmessaging.benchmark.limits.Confinement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts Redis: the one of Debian's packages, or the {@code redis-server} of this machine. One node, or as a
 * cluster three or more, all of them masters. Each keeps all in memory unless {@link LocalBrokerOptions#settings()}, entries of {@code redis.conf}, say otherwise.
 */
public class RedisLocalBroker extends LocalBroker {

    private static final int USUAL_PORT = 6379;

    /** The program prints its name and version so; its relatives print theirs in the same way. */
    private static final Pattern VERSION = Pattern.compile("(\\w+) server v=(\\S+)");

    /** It is ready after some 30 ms; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** Would change the allocator behind the back of the settings that are kept with a result. */
    private static final Set<String> REMOVED_VARIABLES = Set.of("MALLOC_CONF");

    private static final int SIZE_MB = 25;

    /** Of a cluster, however many nodes share them. */
    private static final int SLOTS = 16_384;

    private final PackageSet packages;
    private final ProgramPath programs;

    /** With the programs of this machine. */
    public RedisLocalBroker() {
        this(ProgramPath.ofThisMachine());
    }

    /** With the programs, {@code redis-server} or those that fetch it, from other folders. */
    RedisLocalBroker(ProgramPath programs) {
        this("redis", "Redis", programs);
    }

    /**
     * One of the family.
     *
     * @param name of the local broker; the program is called so as well, with {@code -server} behind it
     */
    RedisLocalBroker(String name, String product, ProgramPath programs) {
        super(name, Confinement.Kind.NATIVE, USUAL_PORT);
        this.packages = new PackageSet(
                name,
                product,
                List.of(name + "-server"),
                SIZE_MB,
                PackageSet.Release.DEBIAN_13,
                "install " + product + " so that " + name + "-server is on the PATH, or point the driver's file to a"
                        + " broker that runs");
        this.programs = programs;
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        int nodes = options.nodes();
        if (nodes == 2) {
            throw new LocalBrokerException("a local " + packages.product()
                    + " has one node, or as a cluster three or more: nodes must not be 2");
        }
        RedisConfiguration configuration = RedisConfiguration.of(options.settings());
        NativeProgram program = NativeProgram.find(packages, "usr/bin/" + name() + "-server", programs, options);
        Matcher version = version(program);
        ListenAddress listening = options.place().address();
        // Those behind the first ones are for the nodes among themselves.
        List<Integer> ports = LocalPorts.free(
                listening, nodes == 1 ? 1 : 2 * nodes, options.place().firstPort());
        List<Integer> busPorts = ports.subList(nodes, ports.size());
        List<String> addresses =
                ports.subList(0, nodes).stream().map(listening::withPort).toList();
        RedisCalls calls = new RedisCalls(options.settings().getOrDefault("requirepass", ""));
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            for (int i = 0; i < nodes; i++) {
                String node = name() + "-" + (i + 1);
                Path data = launch.folder(node + "/data");
                String text = configuration.text(listening, ports.get(i), data);
                if (nodes > 1) {
                    text += RedisConfiguration.clusterText(busPorts.get(i));
                }
                Path file = launch.write(node, "redis.conf", text);
                launch.start(new NativeNode(
                        node, program.commandLine(file.toString()), Map.of(), REMOVED_VARIABLES, Duration.ZERO));
            }
            awaitReady(launch, addresses, busPorts, calls);
            Map<String, String> settings = new TreeMap<>(configuration.tuning());
            settings.put("nodes", Integer.toString(nodes));
            settings.put("data file system", launch.fileSystem());
            return launch.complete(version.group(1), version.group(2), addresses, Map.of(), settings);
        }
    }

    private Matcher version(NativeProgram program) throws LocalBrokerException, InterruptedException {
        Matcher version = VERSION.matcher(program.print("--version"));
        if (!version.find()) {
            throw new LocalBrokerException(
                    program.name() + " does not tell its version: is it " + packages.product() + "?");
        }
        return version;
    }

    /** Returns when all answer and, if they are several, are one cluster. */
    private void awaitReady(BrokerLaunch launch, List<String> addresses, List<Integer> busPorts, RedisCalls calls)
            throws LocalBrokerException, InterruptedException {
        for (String address : addresses) {
            launch.await(packages.product() + " to answer at " + address, START_LIMIT, () -> calls.serves(address));
        }
        int nodes = addresses.size();
        if (nodes > 1) {
            join(addresses, busPorts, calls);
            launch.await(
                    "the cluster of " + packages.product() + " to be complete",
                    START_LIMIT,
                    () -> addresses.stream().allMatch(address -> calls.isComplete(address, nodes)));
        }
    }

    /** Makes a cluster of them in which each has the same number of slots, and none a copy of another's. */
    private static void join(List<String> addresses, List<Integer> busPorts, RedisCalls calls)
            throws LocalBrokerException {
        InetSocketAddress first = LocalPorts.socketAddress(addresses.get(0));
        int nodes = addresses.size();
        try {
            for (int i = 0; i < nodes; i++) {
                String from = Integer.toString(SLOTS * i / nodes);
                String to = Integer.toString(SLOTS * (i + 1) / nodes - 1);
                must(calls.call(addresses.get(i), "CLUSTER", "ADDSLOTSRANGE", from, to));
                must(calls.call(
                        addresses.get(i),
                        "CLUSTER",
                        "MEET",
                        first.getHostString(),
                        Integer.toString(first.getPort()),
                        Integer.toString(busPorts.get(0))));
            }
        } catch (IOException e) {
            throw new LocalBrokerException("cannot make a cluster of the nodes: " + e, e);
        }
    }

    private static void must(String answer) throws IOException {
        if (!answer.equals("+OK")) {
            throw new IOException(answer);
        }
    }
}
