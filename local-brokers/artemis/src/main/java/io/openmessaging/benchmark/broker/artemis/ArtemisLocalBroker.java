package io.openmessaging.benchmark.broker.artemis;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.broker.launch.BrokerLaunch;
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

/**
 * Starts Artemis, one node, which speaks the core protocol. Settings are elements of {@code broker.xml}, see {@link
 * BrokerSettings}.
 */
public final class ArtemisLocalBroker extends LocalBroker {

    private static final String DEFAULT_HEAP = "512m";

    private static final String NODE = "artemis-1";

    /** The node is ready after some 2 s; the rest is for slow and busy machines. */
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** Those of Artemis' own start script, so that the broker is as fast here as elsewhere, and the form of the log. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:AutoBoxCacheMax=20000",
            "-XX:+UseG1GC",
            "-XX:+UseStringDeduplication",
            "-Djava.awt.headless=true",
            // As in Artemis' own configuration: it would write a line for each message that is sent or received.
            "-Dorg.slf4j.simpleLogger.log.org.apache.activemq.audit=off",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss,SSS",
            "-Dorg.slf4j.simpleLogger.showShortLogName=true");

    /** As found by the service loader. */
    public ArtemisLocalBroker() {
        super("artemis", Confinement.Kind.JVM, 61616);
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        if (options.nodes() != 1) {
            throw new LocalBrokerException("the local Artemis has one node, " + options.nodes() + " cannot be started");
        }
        BrokerSettings settings = BrokerSettings.of(options.settings());
        JarSet jarSet = JarSet.ofResource(ArtemisLocalBroker.class, "jars.pom.xml");
        List<Path> jars = jarSet.fetched(options.place().home(), options.progress());
        ListenAddress listening = options.place().address();
        String address = listening.withPort(
                LocalPorts.free(listening, 1, options.place().firstPort()).get(0));
        String heap = options.heapOr(DEFAULT_HEAP);
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            Path folder = launch.folder(NODE);
            launch.write(NODE, ArtemisNode.BROKER_XML, BrokerXml.of(settings, address, folder.resolve("data")));
            if (settings.isSecured()) {
                String user = settings.value(BrokerSettings.USER);
                launch.write(NODE, ArtemisNode.USERS, Map.of(user, settings.value(BrokerSettings.PASSWORD)));
            }
            launch.start(node(folder, settings, heap, jars, options));
            Path ready = folder.resolve(ArtemisNode.READY);
            launch.await("Artemis to be ready", START_LIMIT, () -> Files.exists(ready));
            Map<String, String> inForce = inForce(ready, settings, options);
            inForce.put("heap", heap);
            inForce.put("gc", "G1");
            inForce.put("data file system", launch.fileSystem());
            return launch.complete(jarSet.product(), jarSet.version(), List.of(address), Map.of(), inForce);
        }
    }

    private static JvmNode node(
            Path folder, BrokerSettings settings, String heap, List<Path> jars, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        List<String> jvmOptions = new ArrayList<>(JVM_OPTIONS);
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        if (settings.isPersistent() && settings.journalType().equals("ASYNCIO")) {
            jvmOptions.add("-Djava.library.path=" + folder);
            arguments.addAll(AsyncIo.prepare(jars, folder, options));
        }
        List<Path> classPath = JvmNode.classPath(jars, ArtemisLocalBroker.class);
        return new JvmNode(NODE, heap, jvmOptions, classPath, ArtemisNode.class.getName(), arguments);
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
            throw new LocalBrokerException("cannot tell what the settings of Artemis have become: " + e, e);
        }
        reported.stringPropertyNames().forEach(key -> inForce.put(key, reported.getProperty(key, "")));
        String type = inForce.getOrDefault(BrokerSettings.JOURNAL_TYPE, "");
        String wanted = settings.journalType();
        if (!type.equals(wanted)) {
            inForce.put("journal-type asked for", wanted);
            options.progress()
                    .accept("Artemis uses a journal of type " + type + ", since " + wanted + " is not possible here");
        }
        return inForce;
    }
}
