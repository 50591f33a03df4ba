package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.nats.NatsCalls.CALLS;
import static io.openmessaging.benchmark.driver.nats.NatsCalls.THREADS;

import io.nats.client.AuthHandler;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.DriverThreads;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connection, with those who must know when it is lost. The client itself connects again, to any server of the
 * cluster. Thread-safe.
 */
final class NatsLink implements AutoCloseable {

    /** With the client's two unanswered pings, a server that is silent counts as lost after some ten seconds. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(5);

    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(250);

    /** Limit of one attempt to reach one server, of several. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** Limit for the client to report the reason for a failure that it has already thrown. */
    private static final Duration REASON_LIMIT = Duration.ofMillis(500);

    /** Learns what happens to the connection; called on a thread of the client, and never blocks. */
    interface Watcher {

        /** The connection is lost; answers to what was sent before do not arrive any more. */
        default void lost(Throwable cause) {}

        /** There is a connection again, and its subscriptions are those of before. */
        default void regained() {}
    }

    private final DriverEvents events;
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Exception lastException;
    private final CompletableFuture<Exception> firstException = new CompletableFuture<>();
    private volatile @Nullable Thread connecting;
    private volatile boolean closing;

    private NatsLink(DriverEvents events) {
        this.events = events;
    }

    /**
     * Connects.
     *
     * @param servers {@code host:port} of the servers to try
     * @throws DriverException if none of them can be reached, or they refuse
     */
    static NatsLink open(NatsConfig config, List<String> servers, DriverContext context)
            throws DriverException, InterruptedException {
        NatsLink link = new NatsLink(context.events());
        String attempt = "connect to NATS at " + String.join(", ", servers);
        return CALLS.run(
                attempt,
                Deadline.in(context.timeout()),
                () -> link.connected(options(config, servers, context.timeout(), link)),
                NatsLink::close,
                link::close);
    }

    private NatsLink connected(Options options) throws IOException, InterruptedException {
        connecting = Thread.currentThread();
        try {
            connection = Nats.connect(options);
            return this;
        } catch (IOException e) {
            // The client's own error only repeats the addresses. It reports the reason on another thread.
            Exception reason = firstException
                    .completeOnTimeout(e, REASON_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
            throw e instanceof AuthenticationException ? e : new IOException(refusal(reason, options), e);
        } finally {
            connecting = null;
        }
    }

    /** The client only reports a timeout when the server ends the connection because of the client's certificate. */
    private static String refusal(Exception reason, Options options) {
        if (!(reason instanceof TimeoutException)) {
            return NatsCalls.reason(reason);
        }
        String silence = "no answer within " + options.getConnectionTimeout().toSeconds() + " s";
        return options.getSslContext() != null
                ? silence + "; a server that demands a certificate of its clients does not answer without one that it"
                        + " trusts: set tls.keyStore"
                : silence;
    }

    private static Options options(NatsConfig config, List<String> servers, Duration timeout, NatsLink link)
            throws GeneralSecurityException, IOException {
        String scheme = config.tls() == null ? "nats://" : "tls://";
        Options.Builder options = new Options.Builder()
                .servers(servers.stream().map(server -> scheme + server).toArray(String[]::new))
                .connectionName("benchmark")
                // The host of a certificate is compared with the name.
                .hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs)
                .connectionTimeout(timeout.compareTo(CONNECT_LIMIT) < 0 ? timeout : CONNECT_LIMIT)
                // Messages are limited by the windows of the producers: with a limit of its own, the client refuses
                // some.
                .maxMessagesInOutgoingQueue(Integer.MAX_VALUE)
                // The names of subjects are checked once; the client would check them again for each message.
                .subjectValidationType(Options.SubjectValidationType.None)
                .pingInterval(PING_INTERVAL)
                .maxReconnects(-1)
                .reconnectWait(RECONNECT_PAUSE)
                .connectThreadFactory(THREADS.named("nats-connect"))
                .callbackThreadFactory(THREADS.named("nats-events"))
                .readerThreadFactory(THREADS.named("nats-reader"))
                .writerThreadFactory(THREADS.named("nats-writer"))
                .errorListener(link.new Errors())
                .connectionListener(link::happened);
        if (config.tls() != null) {
            options.sslContext(config.tls().context());
        }
        if (config.user() != null && config.password() != null) {
            options.userInfo(config.user(), config.password());
        }
        if (config.token() != null) {
            options.token(config.token().toCharArray());
        }
        AuthHandler keys = keys(config);
        if (keys != null) {
            options.authHandler(keys);
        }
        return options.build();
    }

    private static @Nullable AuthHandler keys(NatsConfig config) {
        if (config.credentials() != null) {
            return Nats.credentials(config.credentials());
        }
        return config.nkeySeed() == null
                ? null
                : Nats.staticCredentials(null, config.nkeySeed().toCharArray());
    }

    Connection connection() {
        Connection opened = connection;
        if (opened == null) {
            throw new IllegalStateException("The connection is not open.");
        }
        return opened;
    }

    void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    /** Waits until the server has processed everything that was sent before. */
    void flush(Deadline deadline) throws TimeoutException, InterruptedException {
        connection().flush(Duration.ofNanos(Math.max(1, deadline.leftNs())));
    }

    /** Closes the connection at once; an interrupt stays set. */
    @Override
    public void close() {
        closing = true;
        Connection opened = connection;
        if (opened != null) {
            DriverThreads.uninterrupted(opened::close);
        }
    }

    private Throwable cause() {
        Exception exception = lastException;
        return exception == null ? new IOException("the server has closed the connection") : exception;
    }

    /** An error that the server reports in words. */
    private static final class ServerError extends IOException {
        private static final long serialVersionUID = 1L;

        ServerError(String message) {
            super(message);
        }
    }

    private void happened(Connection source, ConnectionListener.Events type) {
        if (closing) {
            return;
        }
        if (type == ConnectionListener.Events.DISCONNECTED) {
            Throwable cause = cause();
            events.clientError("connection lost", cause);
            watchers.forEach(watcher -> watcher.lost(cause));
        } else if (type == ConnectionListener.Events.RESUBSCRIBED) {
            watchers.forEach(Watcher::regained);
        } else if (type == ConnectionListener.Events.CLOSED && connection != null) {
            String error = source.getLastError();
            events.fatal(new DriverException(
                    "The connection to NATS is closed for good: "
                            + (error == null || error.isEmpty() ? NatsCalls.reason(cause()) : error),
                    cause()));
        }
    }

    private final class Errors implements ErrorListener {

        @Override
        public void errorOccurred(Connection source, String error) {
            Thread refused = connecting;
            if (refused != null) {
                // The client would wait for an answer that a server that refuses the login does not send.
                refused.interrupt();
            } else if (connection != null && !closing) {
                events.clientError("server error", new ServerError(error));
            }
        }

        /** Only kept: what it means for the connection is an event. */
        @Override
        public void exceptionOccurred(Connection source, Exception e) {
            firstException.complete(e);
            lastException = e;
        }

        @Override
        public void slowConsumerDetected(Connection source, Consumer consumer) {
            events.clientError(
                    "consumer fell behind",
                    new IOException("the client drops messages, since "
                            + consumer.getPendingMessageLimit() + " of them, or " + consumer.getPendingByteLimit()
                            + " bytes, wait for their listener"));
        }

        @Override
        public void messageDiscarded(Connection source, Message message) {
            events.clientError("message discarded", new IOException("the client's buffer is full"));
        }
    }
}
