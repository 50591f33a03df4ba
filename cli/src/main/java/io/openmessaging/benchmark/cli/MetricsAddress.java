package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.MetricsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Address at which live metrics are served. Loads the server's classes only if they are.
 *
 * @param host this machine's name or address
 * @param port 0 for any free port; null if nothing is served
 */
record MetricsAddress(String host, @Nullable Integer port) {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_PORT = 65_535;

    /** Runs that are served, if they are, until this is closed. */
    record Served(LiveRuns runs, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * Checks the options.
     *
     * @throws UserException if they are not an address
     */
    static MetricsAddress check(@Nullable String host, @Nullable Integer port) throws UserException {
        if (port == null && host != null) {
            throw new UserException("benchmark: --metrics-host: needs --metrics-port as well, got only '" + host + "'");
        }
        checkPort("--metrics-port", port);
        return new MetricsAddress(host == null ? LOOPBACK : host, port);
    }

    /**
     * Checks a port.
     *
     * @param option name of the option, for the error
     * @throws UserException if it is not a port
     */
    static void checkPort(String option, @Nullable Integer port) throws UserException {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new UserException(
                    "benchmark: " + option + ": must be a port from 1 to 65535, or 0 for any free port, got " + port);
        }
    }

    /**
     * Starts to serve the runs, and prints the address.
     *
     * @throws UserException if the server cannot listen there
     */
    Served serve(LiveRuns runs, PrintWriter out) throws UserException {
        if (port == null) {
            return new Served(runs, () -> {});
        }
        MetricsServer server = start(runs, port);
        out.printf("live metrics: http://%s:%d/metrics%n", bracketed(host), server.port());
        return new Served(runs, server::close);
    }

    /** Returns the host as it is written in a URL: colons of IPv6 must not be mistaken for that of the port. */
    static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private MetricsServer start(LiveRuns runs, int wanted) throws UserException {
        try {
            return new MetricsServer(runs, InetAddress.getByName(host), wanted);
        } catch (UnknownHostException e) {
            throw new UserException(
                    "benchmark: --metrics-host: must be a name or an address of this machine, got '" + host + "'");
        } catch (IOException e) {
            throw new UserException("benchmark: --metrics-port: cannot listen on " + host + ":" + wanted + " ("
                    + e.getMessage() + "); take another port, or 0 for any free port");
        }
    }
}
