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
 * Where live metrics are to be served. The server's classes are only loaded if they are.
 *
 * @param host this machine's name or address
 * @param port 0 for any that is free; null if nothing is to be served
 */
record MetricsAddress(String host, @Nullable Integer port) {

    private static final String LOOPBACK = "127.0.0.1";
    private static final int MAX_PORT = 65_535;

    /** What is served, until it is closed. */
    record Served(LiveRuns runs, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /**
     * Takes the options.
     *
     * @throws UserException if they make no address
     */
    static MetricsAddress check(@Nullable String host, @Nullable Integer port) throws UserException {
        if (port == null && host != null) {
            throw new UserException("benchmark: --metrics-host: needs --metrics-port as well, got only '" + host + "'");
        }
        checkPort("--metrics-port", port);
        return new MetricsAddress(host == null ? LOOPBACK : host, port);
    }

    /**
     * Refuses what is no port.
     *
     * @param option that it was given with
     * @throws UserException for the user
     */
    static void checkPort(String option, @Nullable Integer port) throws UserException {
        if (port != null && (port < 0 || port > MAX_PORT)) {
            throw new UserException("benchmark: " + option
                    + ": must be a port from 1 to 65535, or 0 for any that is free, got " + port);
        }
    }

    /**
     * Begins to serve, and prints where.
     *
     * @throws UserException if that is not possible there
     */
    Served serve(PrintWriter out) throws UserException {
        if (port == null) {
            return new Served(LiveRuns.NONE, () -> {});
        }
        MetricsServer server = start(port);
        out.printf("live metrics: http://%s:%d/metrics%n", bracketed(host), server.port());
        return new Served(server, server::close);
    }

    /** As it stands in an address: the colons of IPv6 are not that of the port. */
    static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private MetricsServer start(int wanted) throws UserException {
        try {
            return MetricsServer.start(InetAddress.getByName(host), wanted);
        } catch (UnknownHostException e) {
            throw new UserException(
                    "benchmark: --metrics-host: must be a name or an address of this machine, got '" + host + "'");
        } catch (IOException e) {
            throw new UserException("benchmark: --metrics-port: cannot listen on " + host + ":" + wanted + " ("
                    + e.getMessage() + "); take another port, or 0 for any that is free");
        }
    }
}
