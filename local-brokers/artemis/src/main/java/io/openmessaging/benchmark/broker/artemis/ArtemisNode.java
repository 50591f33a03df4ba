package io.openmessaging.benchmark.broker.artemis;

import java.io.IOException;
import java.io.StringReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a node, in the node's JVM: runs the embedded server. Once it serves clients, or is the backup of a
 * node that does, it reports to the starter the effective values of settings that Artemis changes silently.
 */
public final class ArtemisNode {

    /** In the node's folder: the configuration. */
    static final String BROKER_XML = "broker.xml";

    /** In the node's folder, if security is on: a line {@code name=password} for each user. */
    static final String USERS = "users.properties";

    /**
     * In the node's folder, once the broker serves clients or is the backup of a node that does: the effective
     * settings.
     */
    static final String READY = "ready.properties";

    private static final int POLL_MS = 500;
    private static final int READY_POLL_MS = 10;

    /** A node of a pair stops briefly when its role changes. */
    private static final int MAX_STOPPED_POLLS_OF_PAIR = 20;

    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final String NATIVE_FILE = "artemisJLHandler_";

    private ArtemisNode() {}

    /**
     * Runs the node until it ends.
     *
     * @param arguments the node's folder and, if asynchronous I/O is requested and the system's own library for it is
     *     not to be used, the path of another one
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        if (arguments.length > 1) {
            // Artemis' own native library requires it by name, and the linker uses a library that is already loaded.
            System.load(arguments[1]);
        }
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        ActiveMQServer server = start(folder, failure);
        awaitReady(server, failure);
        removeNativeFile();
        reportReady(server, folder);
        awaitStop(server);
        throw new IllegalStateException("the broker has stopped");
    }

    /** Waits until the server serves clients, or has replicated all data of the node that does. */
    private static void awaitReady(ActiveMQServer server, AtomicReference<@Nullable Exception> failure)
            throws Exception {
        while (!server.isActive() && !server.isReplicaSync()) {
            throwIfSet(failure);
            Thread.sleep(READY_POLL_MS);
        }
    }

    /**
     * Waits until the broker has stopped. A broker that stops by itself, for instance on a full disk, leaves the JVM
     * running.
     */
    private static void awaitStop(ActiveMQServer server) throws InterruptedException {
        boolean pair = !server.getConfiguration().getClusterConfigurations().isEmpty();
        int most = pair ? MAX_STOPPED_POLLS_OF_PAIR : 1;
        for (int stopped = 0; stopped < most; stopped = server.isStarted() ? 0 : stopped + 1) {
            Thread.sleep(POLL_MS);
        }
    }

    private static void throwIfSet(AtomicReference<@Nullable Exception> failure) throws Exception {
        Exception cause = failure.get();
        if (cause != null) {
            throw cause;
        }
    }

    private static ActiveMQServer start(Path folder, AtomicReference<@Nullable Exception> failure) throws Exception {
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ()
                .setConfigResourcePath(folder.resolve(BROKER_XML).toUri().toString());
        Path users = folder.resolve(USERS);
        if (Files.exists(users)) {
            broker.setSecurityManager(
                    new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), securityOf(users)));
        }
        broker.createActiveMQServer();
        ActiveMQServer server = broker.getActiveMQServer();
        // A failed activation is not thrown, only logged.
        server.registerActivationFailureListener(failure::set);
        broker.start();
        throwIfSet(failure);
        return server;
    }

    /**
     * Removes the name of a file that Artemis' native library opens in the system's temporary folder, even if this JVM
     * has another one. The library needs the file, but not its name, and a kill would leave it behind.
     */
    private static void removeNativeFile() throws IOException {
        if (!Files.isDirectory(OPEN_FILES)) {
            return;
        }
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            for (Path file : files.toList()) {
                Path target = targetOf(file);
                if (String.valueOf(target.getFileName()).startsWith(NATIVE_FILE)) {
                    Files.deleteIfExists(target);
                }
            }
        }
    }

    private static Path targetOf(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link);
        } catch (NoSuchFileException e) {
            // The file was closed meanwhile.
            return link;
        }
    }

    private static SecurityConfiguration securityOf(Path users) throws IOException {
        SecurityConfiguration security = new SecurityConfiguration();
        Properties passwords = new Properties();
        passwords.load(new StringReader(Files.readString(users)));
        for (String user : passwords.stringPropertyNames()) {
            security.addUser(user, passwords.getProperty(user));
            security.addRole(user, BrokerXml.ROLE);
        }
        return security;
    }

    private static void reportReady(ActiveMQServer server, Path folder) throws IOException {
        Configuration configuration = server.getConfiguration();
        Properties inForce = new Properties();
        inForce.setProperty(BrokerSettings.PERSISTENCE_ENABLED, Boolean.toString(configuration.isPersistenceEnabled()));
        inForce.setProperty(
                BrokerSettings.JOURNAL_TYPE, configuration.getJournalType().name());
        inForce.setProperty("journal-buffer-timeout", Integer.toString(journalBufferTimeoutNs(configuration)));
        Path part = folder.resolve(READY + ".part");
        try (Writer writer = Files.newBufferedWriter(part)) {
            inForce.store(writer, null);
        }
        Files.move(part, folder.resolve(READY), StandardCopyOption.ATOMIC_MOVE);
    }

    private static int journalBufferTimeoutNs(Configuration configuration) {
        return switch (configuration.getJournalType()) {
            case ASYNCIO -> configuration.getJournalBufferTimeout_AIO();
            case NIO, MAPPED -> configuration.getJournalBufferTimeout_NIO();
        };
    }
}
