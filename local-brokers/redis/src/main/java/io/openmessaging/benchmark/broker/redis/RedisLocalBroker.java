package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.NativeProgram;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.program.ProgramPath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts Redis: the one of Debian's packages, or the {@code redis-server} of this machine. It has one node, or forms a
 * cluster of three or more nodes, all of them masters. With the setting {@code replicas}, some nodes are copies of
 * others; with {@code sentinels}, processes watch a primary that has copies. Each node keeps all data in memory unless
 * {@link LocalBrokerOptions#settings()}, entries of {@code redis.conf}, say otherwise.
 */
public class RedisLocalBroker extends LocalBroker {

    private static final int USUAL_PORT = 6379;

    /** The format in which the program prints its name and version; related programs use the same format. */
    private static final Pattern VERSION = Pattern.compile("(\\w+) server v=(\\S+)");

    private static final int SIZE_MB = 25;

    private final PackageSet packages;
    private final ProgramPath programs;

    /** Uses the programs of this machine. */
    public RedisLocalBroker() {
        this(ProgramPath.ofThisMachine());
    }

    /** Uses programs, {@code redis-server} or those that fetch it, from other folders. */
    RedisLocalBroker(ProgramPath programs) {
        this("redis", "Redis", programs);
    }

    /**
     * Creates a broker of the Redis family.
     *
     * @param name the name of the local broker; with {@code -server} appended, also the name of the program
     */
    RedisLocalBroker(String name, String product, ProgramPath programs) {
        super(name, Confinement.ProcessType.NATIVE, USUAL_PORT);
        this.packages = new PackageSet(
                name,
                product,
                List.of(name + "-server"),
                SIZE_MB,
                PackageSet.Release.DEBIAN_13,
                "install " + product + " so that " + name + "-server is on the PATH, or point the driver file to a"
                        + " running broker");
        this.programs = programs;
    }

    @Override
    public Offer offer() {
        return packages.offer(name() + "-server", programs);
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        RedisLayout layout = RedisLayout.of(packages.product(), options.nodes(), options.settings());
        if (layout.sentinels() > 0 && options.security().any()) {
            throw new LocalBrokerException("--tls and --auth are not supported for " + packages.product()
                    + " with sentinels: omit one or the other");
        }
        RedisConfiguration configuration = RedisConfiguration.of(layout.serverSettings(options.settings()));
        NativeProgram program = NativeProgram.find(packages, "usr/bin/" + name() + "-server", programs, options);
        Matcher version = program.version(VERSION);
        RedisNodes.Ports ports = RedisNodes.Ports.free(layout, options);
        RedisNodes nodes = new RedisNodes(name(), program, layout, configuration, ports, options);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports.all());
            nodes.start(launch);
            ListenAddress listening = options.place().address();
            List<String> servers =
                    ports.servers().stream().map(listening::withPort).toList();
            List<String> sentinels =
                    ports.sentinels().stream().map(listening::withPort).toList();
            Credentials credentials = launch.credentials();
            RedisAdminCalls calls = calls(options, credentials);
            new RedisFormation(packages.product(), layout, servers, ports.buses(), sentinels, calls).awaitReady(launch);
            String place = layout.isCluster()
                    ? "clusterAddresses: [" + String.join(", ", servers) + "]\n"
                    : "redisHost: " + listening.host() + "\nredisPort: "
                            + ports.servers().get(0) + "\n";
            launch.writeDriverFile(driverFile(credentials, place));
            Map<String, String> settings = new TreeMap<>(configuration.tuning());
            settings.putAll(layout.told());
            settings.put("data file system", launch.fileSystem());
            List<String> addresses =
                    !sentinels.isEmpty() ? sentinels : layout.isCluster() ? servers : servers.subList(0, 1);
            return launch.complete(version.group(1), version.group(2), addresses, Map.of(), settings);
        }
    }

    private static RedisAdminCalls calls(LocalBrokerOptions options, Credentials credentials)
            throws LocalBrokerException {
        List<String> login = credentials.login()
                ? List.of(Credentials.USER, credentials.password())
                : Stream.ofNullable(options.settings().get("requirepass"))
                        .filter(password -> !password.isEmpty())
                        .toList();
        return new RedisAdminCalls(login, credentials.sslContext());
    }

    private String driverFile(Credentials credentials, String place) {
        return """
                name: %s, secured
                driverClass: io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver
                %smode: STREAM
                """.formatted(packages.product(), place)
                + credentials.loginLines("redisUser", "redisPass")
                + credentials.tlsLines("trustStore");
    }
}
