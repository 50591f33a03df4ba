package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.clock.ProbeResponder;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a worker available to coordinators by HTTP. Listens from its creation until it is closed. Thread-safe. */
public final class WorkerServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerServer.class);

    /** Interval between checks of the lease and the connections. */
    private static final Duration LOOK = Duration.ofMillis(250);

    /** Time that a run has to end when the server is closed. */
    private static final Duration END_LIMIT = Duration.ofSeconds(30);

    /**
     * Length of the accept queue: many connections of strangers must not make the system drop those of the
     * coordinator.
     */
    private static final int ACCEPT_QUEUE = 1024;

    private static final int FEWEST_THREADS = 4;

    /** Short because no request waits for anything: those in progress are answered soon. */
    private static final long STOP_LIMIT_MS = 100;

    /**
     * The address and options of a server.
     *
     * @param address an address of this machine; port 0 for any free port
     * @param key key that coordinators must have as well; null to use plain HTTP
     * @param lease time for which a coordinator may be silent
     * @param caps limits on the use of the server
     */
    public record Settings(
            InetSocketAddress address, @Nullable KeyFile key, Duration lease, ServerCaps caps) {}

    /**
     * The process behind a server.
     *
     * @param build build that coordinators must have as well
     * @param workplace creates the workers that execute runs
     * @param clock clock that stamps the worker's messages, epoch nanoseconds
     */
    public record Host(Build build, Workplace workplace, LongSupplier clock) {}

    private final Settings settings;
    private final WorkerLease workerLease;
    private final Connections connections;
    private final Server server;
    private final ServerConnector connector;
    private final Thread watch = new Thread(this::watch, "lease");
    private @Nullable ProbeResponder probes;
    private volatile boolean closed;

    private WorkerServer(Settings settings, Host host) throws IOException {
        this.settings = settings;
        this.workerLease = new WorkerLease(host.build(), settings.lease(), host.workplace(), System::nanoTime);
        this.connections = new Connections(settings.caps(), System::nanoTime);
        QueuedThreadPool threads = new QueuedThreadPool(settings.caps().of(ServerCap.THREADS), FEWEST_THREADS);
        threads.setName("http");
        threads.setDaemon(true);
        this.server = new Server(threads);
        this.connector = new ServerConnector(server, 1, 1, factories(settings.key()));
        connector.setHost(settings.address().getAddress().getHostAddress());
        connector.setPort(settings.address().getPort());
        connector.setIdleTimeout(settings.caps().time(ServerCap.IDLE_MS).toMillis());
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        connector.addBean(connections);
        server.addConnector(connector);
        boolean loopbackOnly = settings.address().getAddress().isLoopbackAddress() && settings.key() == null;
        server.setHandler(new RequestHandler(workerLease, settings.caps(), connections, host.clock(), loopbackOnly));
        server.setErrorHandler(new PlainErrors());
        start();
        openProbes(host.clock());
        watch.setDaemon(true);
        watch.start();
    }

    /**
     * Starts to listen.
     *
     * @throws IOException if the server cannot listen on the address
     */
    public static WorkerServer start(Settings settings, Host host) throws IOException {
        return new WorkerServer(settings, host);
    }

    private static ConnectionFactory[] factories(@Nullable KeyFile key) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        if (key == null) {
            return new ConnectionFactory[] {plain};
        }
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(key.context());
        tls.setIncludeProtocols(KeyFile.PROTOCOL);
        tls.setNeedClientAuth(true);
        SslConnectionFactory secure = new SslConnectionFactory(tls, plain.getProtocol());
        // The customizer would compare the URL's name with the certificate's, which is up to the coordinator.
        secure.setEnsureSecureRequestCustomizer(false);
        return new ConnectionFactory[] {secure, plain};
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

    /** Uses the UDP port with the number of the HTTP port. */
    private void openProbes(LongSupplier clock) {
        try {
            ProbeResponder opened = ProbeResponder.open(address(), clock);
            probes = opened;
            workerLease.probesBy(opened);
        } catch (IOException e) {
            LOG.warn("Cannot receive clock probes by UDP on {}; probes use HTTP: {}", address(), e.getMessage());
        }
    }

    /** The address on which the server listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(settings.address().getAddress(), connector.getLocalPort());
    }

    /** The URL that coordinators use, or could use if the server listens on all addresses of this machine. */
    public String url() {
        InetAddress host = settings.address().getAddress();
        String name = host.getHostAddress();
        return (settings.key() == null ? "http://" : "https://")
                + (name.contains(":") ? "[" + name + "]" : name)
                + ":" + connector.getLocalPort();
    }

    private void watch() {
        while (!closed) {
            try {
                workerLease.await(LOOK);
                workerLease.endIfOver();
                connections.closeLate();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("Could not check the lease", e);
            }
        }
        workerLease.endIfOver();
    }

    /** Stops the load of a run, if there is one, closes its clients, and stops listening. */
    @Override
    public void close() {
        closed = true;
        workerLease.close("the worker was stopped");
        awaitEnd();
        if (probes != null) {
            probes.close();
        }
        try {
            server.setStopTimeout(STOP_LIMIT_MS);
            server.stop();
        } catch (Exception e) {
            LOG.warn("The server did not stop cleanly", e);
        }
    }

    private void awaitEnd() {
        try {
            watch.join(END_LIMIT.toMillis());
            if (watch.isAlive()) {
                LOG.warn("The run's clients were not closed within {} s", END_LIMIT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers malformed requests with one line that reveals neither the request nor any internals. */
    private static final class PlainErrors implements Request.Handler {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
            byte[] line = ("refused: " + response.getStatus() + "\n").getBytes(StandardCharsets.UTF_8);
            response.write(true, ByteBuffer.wrap(line), callback);
            return true;
        }
    }
}
