package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.live.LiveRuns;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the live page from its start until it is closed, on its own daemon threads, named {@code page}. Thread-safe.
 */
public final class PageServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PageServer.class);

    private static final int MOST_CONNECTIONS = 128;
    private static final int MOST_THREADS = 8;
    private static final int FEWEST_THREADS = 2;

    /** A client that accepts no data for this long is considered gone. */
    private static final long IDLE_LIMIT_MS = 30_000;

    /**
     * The longest time without news for readers: short enough for a page to notice quickly that they have stopped.
     */
    private static final long SIGN_OF_LIFE_MS = 10_000;

    private static final long LAST_WORDS_LIMIT_MS = 2_000;
    private static final long STOP_LIMIT_MS = 100;
    private static final int TOKEN_BYTES = 16;

    private final LiveRuns runs;
    private final Readers readers;
    private final Optional<String> token;
    private final Server server;
    private final ServerConnector connector;
    private volatile boolean closed;

    private PageServer(LiveRuns runs, InetAddress address, int port, Optional<String> token) throws IOException {
        this.runs = runs;
        this.token = token;
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, FEWEST_THREADS);
        threads.setName("page");
        threads.setDaemon(true);
        readers = new Readers(runs, threads);
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(address.getHostAddress());
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_LIMIT_MS);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        server.setHandler(new PageHandler(readers, token));
        server.setErrorHandler(PageHandler::refuseMalformed);
        start();
        runs.watch(readers::wake);
        giveSignsOfLife();
    }

    /**
     * Starts serving everybody on this machine.
     *
     * @param port the port; 0 for any free port
     * @throws IOException if the server cannot listen there
     */
    public static PageServer onLoopback(LiveRuns runs, int port) throws IOException {
        return new PageServer(runs, InetAddress.getByName("127.0.0.1"), port, Optional.empty());
    }

    /**
     * Starts serving at an address of this machine, for those who know the page's whole address, part of which is
     * random. The connection is not encrypted: anyone who can read the network traffic can read it.
     *
     * @param port the port; 0 for any free port
     * @throws IOException if the server cannot listen there
     */
    public static PageServer withToken(LiveRuns runs, InetAddress address, int port) throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new PageServer(runs, address, port, Optional.of(HexFormat.of().formatHex(random)));
    }

    private void start() throws IOException {
        try {
            server.start();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("Could not start the server: " + e.getMessage(), e);
        }
    }

    private void giveSignsOfLife() {
        if (!closed) {
            readers.giveSignOfLife();
            server.getScheduler().schedule(this::giveSignsOfLife, SIGN_OF_LIFE_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** The port that the server listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Returns the path of the page, with the token if there is one. */
    public String path() {
        return token.map(key -> "/" + key + "/").orElse("/");
    }

    int readers() {
        return readers.count();
    }

    /** Notifies readers that everything has ended, and stops listening. Takes a few seconds at most. */
    @Override
    public void close() {
        closed = true;
        runs.over();
        try {
            readers.awaitEnd(LAST_WORDS_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        runs.watch(() -> {});
        try {
            server.setStopTimeout(STOP_LIMIT_MS);
            server.stop();
        } catch (Exception e) {
            LOG.warn("The live page's server did not stop cleanly", e);
        }
    }
}
