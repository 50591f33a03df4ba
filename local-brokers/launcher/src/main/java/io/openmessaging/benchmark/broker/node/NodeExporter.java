package io.openmessaging.benchmark.broker.node;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Runs the JMX exporter for Prometheus inside a node's JVM, in its own class loader. As an ordinary Java agent, it
 * would share the broker's class path, where some brokers have other versions of the same libraries: with those of
 * Pulsar, it fails to start and takes the broker down with it.
 */
final class NodeExporter {

    private static final String AGENT = "io.prometheus.jmx.JavaAgent";

    private NodeExporter() {}

    /**
     * Starts the exporter. If anything keeps it from starting, the node's log says so and the node continues without
     * it.
     *
     * @param jar the jar of the agent
     * @param argument the agent's argument: host, port and configuration file, separated by colons
     */
    static void start(String jar, String argument) {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try {
            // Never closed: the exporter ends with the JVM.
            URLClassLoader loader = new URLClassLoader(new URL[] {url(jar)}, ClassLoader.getPlatformClassLoader());
            current.setContextClassLoader(loader);
            refuseTakenPort(argument);
            loader.loadClass(AGENT)
                    .getMethod("premain", String.class, Instrumentation.class)
                    .invoke(null, argument, null);
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            System.err.println("cannot export heap and garbage collection: " + e);
        } finally {
            current.setContextClassLoader(before);
        }
    }

    private static URL url(String jar) throws MalformedURLException {
        return Path.of(jar).toUri().toURL();
    }

    /** Fails if the port is taken; the agent would end the JVM. */
    private static void refuseTakenPort(String argument) throws IOException {
        String[] parts = argument.split(":", 3);
        new ServerSocket(Integer.parseInt(parts[1]), 1, InetAddress.getByName(parts[0])).close();
    }
}
