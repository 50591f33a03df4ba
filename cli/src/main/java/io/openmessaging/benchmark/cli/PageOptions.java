package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.MetricsAddress.Served;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.live.LiveRuns;
import io.openmessaging.benchmark.live.page.PageServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of the live page. Its server ends with the runs; an open browser keeps what it shows. The server's
 * classes are loaded only if the page is served.
 */
final class PageOptions {

    private static final String LOOPBACK = "127.0.0.1";

    @Option(names = "--ui", description = "Shows the runs on a page; prints its address.")
    private boolean page;

    @Option(names = "--ui-port", paramLabel = "N", description = "Serves it at this port (default: any free one).")
    private @Nullable Integer port;

    @Option(names = "--ui-host", paramLabel = "HOST", description = "Serves it to all who know its secret address.")
    private @Nullable String host;

    /**
     * Checks the port.
     *
     * @throws UserException if it is not a port
     */
    void check() throws UserException {
        MetricsAddress.checkPort("--ui-port", port);
    }

    /**
     * Starts to serve the page of the runs if requested, and prints its address.
     *
     * @throws UserException if the server cannot listen there
     */
    Served serve(LiveRuns runs, PrintWriter out) throws UserException {
        if (!page && port == null && host == null) {
            return new Served(runs, () -> {});
        }
        PageServer server = start(runs, port == null ? 0 : port);
        out.println("live page: http://" + name() + ":" + server.port() + server.path());
        return new Served(runs, server::close);
    }

    private PageServer start(LiveRuns runs, int wanted) throws UserException {
        try {
            return host == null
                    ? PageServer.onLoopback(runs, wanted)
                    : PageServer.withToken(runs, InetAddress.getByName(host), wanted);
        } catch (UnknownHostException e) {
            throw new UserException(
                    "benchmark: --ui-host: must be a name or an address of this machine, got '" + host + "'");
        } catch (IOException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new UserException("benchmark: --ui-port: cannot listen on " + (host == null ? LOOPBACK : host) + ":"
                    + wanted + " (" + why.getMessage() + "); take another port, or 0 for any free port");
        }
    }

    /** Returns the machine's name for a browser. */
    private String name() {
        if (host == null) {
            return LOOPBACK;
        }
        try {
            return InetAddress.getByName(host).isAnyLocalAddress()
                    ? InetAddress.getLocalHost().getHostName()
                    : MetricsAddress.bracketed(host);
        } catch (UnknownHostException e) {
            return MetricsAddress.bracketed(host);
        }
    }
}
