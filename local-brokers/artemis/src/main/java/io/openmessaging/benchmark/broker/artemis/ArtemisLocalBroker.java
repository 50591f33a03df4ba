package io.openmessaging.benchmark.broker.artemis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
import io.openmessaging.benchmark.broker.launch.Credentials;
import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.limits.Confinement;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Starts Artemis: one node, or a live one and its backup, see {@link ReplicatedPair}. It speaks the core protocol and,
 * if the settings say so, AMQP. Settings are elements of {@code broker.xml}, see {@link BrokerSettings}.
 */
public final class ArtemisLocalBroker extends LocalBroker {

    private static final String DEFAULT_HEAP = "512m";

    /** A node is ready after about 2 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /**
     * Options of Artemis' own start script, so that the broker is as fast here as elsewhere, and the format of the log.
     */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:AutoBoxCacheMax=20000",
            "-XX:+UseG1GC",
            "-XX:+UseStringDeduplication",
            "-Djava.awt.headless=true",
            // Off, as in Artemis' own configuration: otherwise, it writes a line for each message that is sent or
            // received.
            "-Dorg.slf4j.simpleLogger.log.org.apache.activemq.audit=off",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss,SSS",
            "-Dorg.slf4j.simpleLogger.showShortLogName=true");

    /** For the service loader. */
    public ArtemisLocalBroker() {
        super("artemis", Confinement.ProcessType.JVM, 61616);
    }

    @Override
    public Offer offer() {
        return JarSet.ofResource(ArtemisLocalBroker.class, "jars.pom.xml").offer();
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        BrokerSettings given = BrokerSettings.of(options.settings());
        checkNodes(options.nodes(), given);
        JarSet jarSet =
                JarSet.ofResource(ArtemisLocalBroker.class, given.speaksAmqp() ? "amqp.jars.pom.xml" : "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        ListenAddress listening = options.place().address();
        List<Integer> ports =
                LocalPorts.free(listening, options.nodes(), options.place().firstPort());
        List<String> addresses = ports.stream().map(listening::withPort).toList();
        String heap = options.heapOr(DEFAULT_HEAP);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            launch.listensOn(ports);
            Credentials credentials = launch.credentials();
            BrokerSettings settings = given.with(secured(credentials));
            List<String> pair = pairElements(addresses, launch);
            for (int i = 0; i < addresses.size(); i++) {
                String xml = BrokerXml.of(settings, addresses.get(i), data(launch, i), pair.get(i));
                startNode(i, xml, settings, launch, process(i, settings, heap, jars, options, launch));
            }
            launch.writeDriverFile(driverFile(credentials, addresses));
            Map<String, String> inForce = inForce(readyFile(launch, 0), settings, options);
            inForce.put("heap", heap);
            inForce.put("gc", "G1");
            inForce.put("data file system", launch.fileSystem());
            if (options.nodes() > 1) {
                inForce.put("nodes", "live and backup, replicated");
            }
            return launch.complete(jarSet.product(), jarSet.version(), addresses, Map.of(), inForce);
        }
    }

    private static void checkNodes(int nodes, BrokerSettings given) throws LocalBrokerException {
        if (nodes > ReplicatedPair.NODES) {
            throw new LocalBrokerException(
                    "the local Artemis has one node, or two of which one is the backup of the other; " + nodes
                            + " cannot be started");
        }
        if (nodes > 1 && !given.isPersistent()) {
            throw new LocalBrokerException(
                    "the backup of a local Artemis copies what the live node writes, so two nodes" + " need '"
                            + BrokerSettings.PERSISTENCE_ENABLED + "' to be true");
        }
    }

    /**
     * Starts a node and waits until it is ready. Called for one node after the other, so that the first one is the live
     * one.
     */
    private static void startNode(int index, String xml, BrokerSettings settings, BrokerLaunch launch, JvmNode process)
            throws LocalBrokerException, InterruptedException {
        launch.write(node(index), ArtemisNode.BROKER_XML, xml);
        if (settings.isSecured()) {
            String user = settings.value(BrokerSettings.USER);
            launch.write(node(index), ArtemisNode.USERS, Map.of(user, settings.value(BrokerSettings.PASSWORD)));
        }
        launch.start(process);
        Path ready = readyFile(launch, index);
        launch.await(node(index) + " to be ready", START_LIMIT, () -> Files.exists(ready));
    }

    private static Path data(BrokerLaunch launch, int index) throws LocalBrokerException {
        return launch.folder(node(index)).resolve(BrokerLaunch.DATA);
    }

    private static String node(int index) {
        return "artemis-" + (index + 1);
    }

    private static Path readyFile(BrokerLaunch launch, int index) throws LocalBrokerException {
        return launch.folder(node(index)).resolve(ArtemisNode.READY);
    }

    /** Returns the additional elements of each node. */
    private static List<String> pairElements(List<String> addresses, BrokerLaunch launch)
            throws LocalBrokerException, InterruptedException {
        if (addresses.size() == 1) {
            return List.of("");
        }
        String tls = "";
        Credentials credentials = launch.credentials();
        if (credentials.tls()) {
            tls = "?sslEnabled=true;trustStorePath=" + credentials.trustStore() + ";trustStorePassword="
                    + credentials.password();
        }
        ReplicatedPair pair = new ReplicatedPair(addresses, launch.folder("locks"), tls);
        return List.of(pair.elements(0), pair.elements(1));
    }

    private static Map<String, String> secured(Credentials credentials) {
        Map<String, String> settings = new TreeMap<>();
        if (credentials.tls()) {
            settings.put(
                    BrokerSettings.ACCEPTOR_PARAMETERS,
                    "sslEnabled=true;keyStorePath=" + credentials.brokerStore() + ";keyStorePassword="
                            + credentials.password());
        }
        if (credentials.login()) {
            settings.put(BrokerSettings.SECURITY_ENABLED, "true");
            settings.put(BrokerSettings.USER, Credentials.USER);
            settings.put(BrokerSettings.PASSWORD, credentials.password());
        }
        return settings;
    }

    private static String driverFile(Credentials credentials, List<String> addresses) {
        return """
                name: Artemis, secured
                driverClass: io.openmessaging.benchmark.driver.artemis.ArtemisBenchmarkDriver
                brokerAddress: (%s)
                """.formatted(addresses.stream().map("tcp://"::concat).collect(Collectors.joining(",")))
                + credentials.loginLines("user", "password")
                + credentials.tlsLines("trustStorePath");
    }

    private static JvmNode process(
            int index,
            BrokerSettings settings,
            String heap,
            List<Path> jars,
            LocalBrokerOptions options,
            BrokerLaunch launch)
            throws LocalBrokerException, InterruptedException {
        Path folder = launch.folder(node(index));
        List<String> jvmOptions = new ArrayList<>(JVM_OPTIONS);
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        if (settings.isPersistent() && settings.journalType().equals("ASYNCIO")) {
            jvmOptions.add("-Djava.library.path=" + folder);
            arguments.addAll(AsyncIo.prepare(jars, folder, options));
        }
        List<Path> classPath = JvmNode.classPath(jars, ArtemisLocalBroker.class);
        return new JvmNode(node(index), heap, jvmOptions, classPath, ArtemisNode.class.getName(), arguments);
    }

    private static Map<String, String> inForce(Path ready, BrokerSettings settings, LocalBrokerOptions options)
            throws LocalBrokerException {
        Map<String, String> inForce = new TreeMap<>(settings.toKeep());
        if (!settings.isPersistent()) {
            inForce.put(BrokerSettings.JOURNAL_TYPE, "none, in memory");
            return inForce;
        }
        Properties reported = new Properties();
        try {
            reported.load(new StringReader(Files.readString(ready)));
        } catch (IOException e) {
            throw new LocalBrokerException("cannot read the effective settings of Artemis: " + e, e);
        }
        reported.stringPropertyNames().forEach(key -> inForce.put(key, reported.getProperty(key, "")));
        String type = inForce.getOrDefault(BrokerSettings.JOURNAL_TYPE, "");
        String wanted = settings.journalType();
        if (!type.equals(wanted)) {
            inForce.put("journal-type asked for", wanted);
            options.progress()
                    .accept("Artemis uses a journal of type " + type + ", since " + wanted + " is not available here");
        }
        return inForce;
    }
}
