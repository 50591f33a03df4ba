package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.HttpProbe;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Starts Pulsar as its standalone mode does: one process with a broker, its bookies and the metadata in RocksDB;
 * without functions, WebSocket and ZooKeeper. {@link LocalBrokerOptions#nodes()} is the number of bookies, so that
 * messages can be stored in several copies; there is always one broker.
 */
public final class PulsarLocalBroker extends LocalBroker {

    private static final int USUAL_HTTP_PORT = 8080;

    /** The namespace that is created last. */
    static final String LAST_TO_BE_CREATED = "/admin/v2/namespaces/public/default";

    /** The topic that clients need first for transactions; with them enabled, it is created even later. */
    static final String COORDINATORS = "/admin/v2/persistent/pulsar/system/transaction_coordinator_assign/partitions";

    private static final String NONE_YET = "\"partitions\":0";

    /**
     * The parameter by which the broker logs in to itself, if a login is required: if it is a token, we can query the
     * broker with it.
     */
    static final String OWN_LOGIN = "brokerClientAuthenticationParameters";

    static final String TOKEN = "token:";

    private static final String NODE = "pulsar-1";

    private static final String DEFAULT_HEAP = "512m";

    /** The memory limit covers the heap, twice as much direct memory, and the rest. */
    private static final int HEAP_PARTS = 4;

    private static final int MIB_BITS = 20;

    /** It is ready after about 6 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    /**
     * Options of Pulsar's own start script except for the garbage collector: its ZGC needs more processors and memory.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-server",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-Dpulsar.allocator.exit_on_oom=true",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.recycler.maxCapacityPerThread=4096",
            "-Djava.awt.headless=true",
            "-Dlog4j2.configurationFile=classpath:io/openmessaging/benchmark/broker/pulsar/log4j2.properties");

    private static final List<String> OPENED_PACKAGES = List.of(("java.base/java.io java.base/java.lang"
                    + " java.base/java.nio java.base/java.util java.base/java.util.zip java.base/sun.net"
                    + " java.base/jdk.internal.misc java.base/jdk.internal.platform java.management/sun.management"
                    + " jdk.management/com.sun.management.internal")
            .split(" "));

    /** For the service loader. */
    public PulsarLocalBroker() {
        super("pulsar", Confinement.ProcessType.JVM, 6650);
    }

    @Override
    public Offer offer() {
        return JarSet.ofResource(PulsarLocalBroker.class, "jars.pom.xml").offer();
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        BrokerLaunch.refuse("Pulsar", options.settings(), StandaloneConf.FIXED::contains);
        JarSet jarSet = JarSet.ofResource(PulsarLocalBroker.class, "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        // Ports for clients, for HTTP and for a single bookie; several bookies choose their own.
        ListenAddress address = options.place().address();
        List<Integer> ports = LocalPorts.free(address, 3, options.place().firstPort(), Map.of(1, USUAL_HTTP_PORT));
        String client = address.withPort(ports.get(0));
        String http = address.withPort(ports.get(1));
        String heap = options.heapOr(DEFAULT_HEAP, HEAP_PARTS);
        // Messages are kept and sent outside of the heap; the ratio is that of Pulsar's own start script.
        long directMib = 2 * (ProcessLimit.memoryBytes(heap) >> MIB_BITS);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports);
            Map<String, Object> conf = StandaloneConf.of(
                    address, ports.get(0), ports.get(1), options.nodes(), directMib, options.settings());
            boolean coordinates = Boolean.parseBoolean(options.settings().get(StandaloneConf.COORDINATOR));
            SecuredConf secured = new SecuredConf(launch.credentials());
            secured.addTo(conf);
            launch.writeDriverFile(secured.driverFile(client, http));
            Map<String, String> asked = options.security().any() ? secured.login() : options.settings();
            Path file = launch.write(NODE, "standalone.conf", conf);
            launch.start(new JvmNode(
                    NODE,
                    heap,
                    jvmOptions(directMib),
                    JvmNode.classPath(jars, PulsarLocalBroker.class),
                    "org.apache.pulsar.PulsarStandaloneStarter",
                    arguments(
                            file,
                            launch.folder(NODE + "/" + BrokerLaunch.DATA),
                            address,
                            ports.get(2),
                            options.nodes())));
            // Probes the client's port first: a connection attempt is cheap, and the broker opens both ports at about
            // the same time.
            launch.await(
                    "Pulsar to be ready",
                    START_LIMIT,
                    ready(client, http, asked, coordinates, launch.credentials().sslContext()));
            Map<String, String> settings = new TreeMap<>();
            settings.put("mode", "standalone, metadata in RocksDB");
            settings.put("bookies", Integer.toString(options.nodes()));
            settings.put("heap", heap);
            settings.put("direct memory", directMib + "m");
            settings.put("gc", "G1");
            settings.put(StandaloneConf.JOURNAL_SYNC, StandaloneConf.JOURNAL_SYNC_DEFAULT);
            settings.put("data file system", launch.fileSystem());
            settings.putAll(options.settings());
            return launch.complete(
                    jarSet.product(), jarSet.version(), List.of(client), Map.of("http", List.of(http)), settings);
        }
    }

    private static BooleanSupplier ready(
            String client, String http, Map<String, String> settings, boolean coordinates, @Nullable SSLContext tls) {
        return () -> LocalPorts.listens(client)
                && isThere(LAST_TO_BE_CREATED, http, settings, tls)
                && (!coordinates || isThere(COORDINATORS, http, settings, tls));
    }

    /** Returns whether the broker has created the resource at this path, which it does while it starts. */
    static boolean isThere(String path, String http, Map<String, String> settings, @Nullable SSLContext tls) {
        String login = settings.getOrDefault(OWN_LOGIN, "");
        boolean hasToken = login.startsWith(TOKEN);
        HttpProbe.ProbeAnswer answer = HttpProbe.ask(http, path, hasToken ? login.substring(TOKEN.length()) : "", tls);
        // We cannot perform other kinds of login: a refusal is then the only sign of readiness.
        return answer.status() == HttpURLConnection.HTTP_OK && !answer.text().contains(NONE_YET)
                || !hasToken && answer.status() == HttpURLConnection.HTTP_UNAUTHORIZED;
    }

    private static List<String> jvmOptions(long directMib) {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.add("-XX:MaxDirectMemorySize=" + directMib + "m");
        OPENED_PACKAGES.forEach(name -> options.add("--add-opens=" + name + "=ALL-UNNAMED"));
        return options;
    }

    private static List<String> arguments(Path conf, Path data, ListenAddress address, int bookiePort, int bookies) {
        return List.of(
                "--config",
                conf.toString(),
                "--advertised-address",
                address.host(),
                "--metadata-dir",
                data.resolve("metadata").toString(),
                "--bookkeeper-dir",
                data.resolve("bookkeeper").toString(),
                "--bookkeeper-port",
                Integer.toString(bookiePort),
                "--num-bookies",
                Integer.toString(bookies),
                "--no-functions-worker",
                "--no-stream-storage");
    }
}
