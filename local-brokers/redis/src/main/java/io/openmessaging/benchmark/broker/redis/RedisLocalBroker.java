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
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts Redis: the one of Debian's packages, or the {@code redis-server} of this machine. One node, which keeps all in
 * memory unless {@link LocalBrokerOptions#settings()}, entries of {@code redis.conf}, say otherwise.
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

    private static final int TIMEOUT_MS = 1000;

    /** Behind a password it says so instead; while it loads its data it says yet something else. */
    private static final String PONG = "+PONG";

    private static final String PASSWORD_WANTED = "-NOAUTH";

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
        if (options.nodes() != 1) {
            throw new LocalBrokerException(
                    "a local " + packages.product() + " has one node: nodes must be 1, got " + options.nodes());
        }
        RedisConfiguration configuration = RedisConfiguration.of(options.settings());
        NativeProgram program = NativeProgram.find(packages, "usr/bin/" + name() + "-server", programs, options);
        Matcher version = VERSION.matcher(program.print("--version"));
        if (!version.find()) {
            throw new LocalBrokerException(
                    program.name() + " does not tell its version: is it " + packages.product() + "?");
        }
        ListenAddress listening = options.place().address();
        int port = LocalPorts.free(listening, 1, options.place().firstPort()).get(0);
        String address = listening.withPort(port);
        String node = name() + "-1";
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            Path data = launch.folder(node + "/data");
            Path file = launch.write(node, "redis.conf", configuration.text(listening, port, data));
            launch.start(new NativeNode(
                    node, program.commandLine(file.toString()), Map.of(), REMOVED_VARIABLES, Duration.ZERO));
            launch.await(packages.product() + " to answer at " + address, START_LIMIT, () -> serves(address));
            Map<String, String> settings = new TreeMap<>(configuration.tuning());
            settings.put("nodes", "1");
            settings.put("data file system", launch.fileSystem());
            return launch.complete(version.group(1), version.group(2), List.of(address), Map.of(), settings);
        }
    }

    /** Whether a PING is answered, within a second, by a server that is done with loading. */
    static boolean serves(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(LocalPorts.socketAddress(address), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(PONG.length()), StandardCharsets.US_ASCII);
            return answer.equals(PONG) || PASSWORD_WANTED.startsWith(answer) && answer.length() == PONG.length();
        } catch (IOException e) {
            // Not yet. The starter sets the limit.
            return false;
        }
    }
}
