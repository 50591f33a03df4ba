package io.openmessaging.benchmark.worker.server;

import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.transport.Claim;
import io.openmessaging.benchmark.worker.transport.Claimed;
import io.openmessaging.benchmark.worker.transport.ClockReading;
import io.openmessaging.benchmark.worker.transport.Loopback;
import io.openmessaging.benchmark.worker.transport.Paths;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives requests, passes them to the {@link WorkerLease}, and writes answers. No thread of the server waits for a
 * body, for a step or for a client.
 */
final class RequestHandler extends Handler.Abstract.NonBlocking {

    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";

    private static final Pattern STEP = Pattern.compile(Paths.RUNS + "(\\d{1,9})/steps/(\\d{1,9})/([a-z_]{1,32})");

    /**
     * An answer.
     *
     * @param status a status from {@link Paths}
     * @param type type of the body
     */
    private record HttpReply(int status, String type, byte[] body) {

        static HttpReply text(int status, String text) {
            return new HttpReply(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8));
        }

        static HttpReply json(Object message) {
            return new HttpReply(Paths.DONE, JSON, Wire.write(message));
        }

        static HttpReply of(Refusal refusal) {
            return text(refusal.status(), String.valueOf(refusal.getMessage()));
        }
    }

    private final WorkerLease workerLease;
    private final ServerCaps caps;
    private final Connections connections;
    private final LongSupplier clock;

    /**
     * True if the URL may only contain names of this machine: a browser's page must not get in by a name of its own.
     */
    private final boolean loopbackOnly;

    RequestHandler(
            WorkerLease workerLease,
            ServerCaps caps,
            Connections connections,
            LongSupplier clock,
            boolean loopbackOnly) {
        this.workerLease = workerLease;
        this.caps = caps;
        this.connections = connections;
        this.clock = clock;
        this.loopbackOnly = loopbackOnly;
    }

    @Override
    public boolean handle(org.eclipse.jetty.server.Request request, Response response, Callback callback) {
        long receivedNs = clock.getAsLong();
        try {
            refuseBrowsers(request);
            String path = org.eclipse.jetty.server.Request.getPathInContext(request);
            if (request.getMethod().equals("GET")) {
                connections.received(connection(request));
                reply(request, response, callback, get(path, receivedNs));
            } else if (request.getMethod().equals("POST")) {
                post(request, response, callback, path);
            } else if (request.getMethod().equals("DELETE")) {
                reply(request, response, callback, giveUp(request, path));
            } else {
                throw new Refusal(Paths.UNREADABLE, "the worker does not support " + request.getMethod());
            }
        } catch (Refusal e) {
            reply(request, response, callback, HttpReply.of(e));
        } catch (RuntimeException e) {
            reply(request, response, callback, unexpected(e));
        }
        return true;
    }

    /** Without a key, a page in a browser on this machine must not be able to use its worker. */
    private void refuseBrowsers(org.eclipse.jetty.server.Request request) throws Refusal {
        if (request.getHeaders().contains(HttpHeader.ORIGIN)) {
            throw new Refusal(Paths.FORBIDDEN, "requests from pages in browsers are refused");
        }
        String name = org.eclipse.jetty.server.Request.getServerName(request);
        if (loopbackOnly && !Loopback.isName(name)) {
            throw new Refusal(Paths.FORBIDDEN, "this worker accepts the names 127.0.0.1 and localhost only");
        }
    }

    private HttpReply get(String path, long receivedNs) throws Refusal {
        return switch (path) {
            case Paths.PAGE -> HttpReply.text(Paths.DONE, workerLease.page());
            case Paths.INFO -> HttpReply.json(workerLease.info());
            case Paths.CLOCK -> HttpReply.json(new ClockReading(receivedNs, clock.getAsLong()));
            default -> throw new Refusal(Paths.UNKNOWN, "there is no " + path);
        };
    }

    private void post(org.eclipse.jetty.server.Request request, Response response, Callback callback, String path)
            throws Refusal {
        String id = request.getHeaders().get(Paths.SESSION);
        CoordinatorSession session = id == null || path.equals(Paths.RELEASE) ? null : workerLease.session(id);
        if (session != null) {
            connections.trust(connection(request));
        }
        int most = session == null ? caps.of(ServerCap.STRANGER_BODY_BYTES) : caps.of(ServerCap.BODY_BYTES);
        if (request.getLength() > most) {
            throw tooLarge(most);
        }
        Promise.Invocable<byte[]> whole = Promise.Invocable.from(InvocationType.NON_BLOCKING, (body, failure) -> {
            connections.received(connection(request));
            // A failure: the body was cut off, took too long, or exceeds the limit.
            CompletableFuture<HttpReply> answer = failure != null
                    ? CompletableFuture.completedFuture(HttpReply.of(tooLarge(most)))
                    : answer(path, id, session, body);
            CompletableFuture<Void> unused = answer.exceptionally(RequestHandler::unexpected)
                    .thenAccept(reply -> reply(request, response, callback, reply));
        });
        Content.Source.asByteArrayAsync(request, most, whole);
    }

    private static HttpReply unexpected(Throwable failure) {
        LOG.error("A request failed", failure);
        return HttpReply.text(Paths.FAILED, "unexpected error: " + failure);
    }

    private HttpReply giveUp(org.eclipse.jetty.server.Request request, String path) throws Refusal {
        Matcher step = match(path);
        session(request.getHeaders().get(Paths.SESSION))
                .giveUp(Integer.parseInt(step.group(1)), Integer.parseInt(step.group(2)));
        return HttpReply.text(Paths.DONE, "given up");
    }

    private CoordinatorSession session(@Nullable String id) throws Refusal {
        if (id == null) {
            throw new Refusal(Paths.FORBIDDEN, "the worker must be claimed first");
        }
        return workerLease.session(id);
    }

    private static Matcher match(String path) throws Refusal {
        Matcher step = STEP.matcher(path);
        if (!step.matches()) {
            throw new Refusal(Paths.UNKNOWN, "there is no " + path);
        }
        return step;
    }

    private static Refusal tooLarge(int most) {
        return new Refusal(Paths.TOO_LARGE, "the body must have at most " + most + " bytes");
    }

    private CompletableFuture<HttpReply> answer(
            String path, @Nullable String id, @Nullable CoordinatorSession session, byte[] body) {
        try {
            if (path.equals(Paths.CLAIM)) {
                return CompletableFuture.completedFuture(claim(body));
            }
            if (path.equals(Paths.RELEASE) && id != null) {
                return released(workerLease.release(id));
            }
            if (session == null) {
                throw new Refusal(Paths.FORBIDDEN, "the worker must be claimed first");
            }
            if (path.equals(Paths.ALIVE)) {
                return CompletableFuture.completedFuture(HttpReply.text(Paths.DONE, "alive"));
            }
            return step(path, session, body);
        } catch (Refusal e) {
            return CompletableFuture.completedFuture(HttpReply.of(e));
        }
    }

    private HttpReply claim(byte[] body) throws Refusal {
        Claim claim;
        try {
            claim = Objects.requireNonNull(Wire.read(body, Claim.class));
        } catch (RuntimeException e) {
            throw new Refusal(Paths.UNREADABLE, "the body is not a claim");
        }
        Claimed claimed = workerLease.claim(claim);
        return HttpReply.json(claimed);
    }

    private CompletableFuture<HttpReply> released(CompletableFuture<Boolean> free) {
        return free.thenApply(done -> HttpReply.text(Paths.DONE, "free"))
                .completeOnTimeout(
                        HttpReply.text(Paths.GOES_ON, "the load is being stopped, the clients are being closed"),
                        caps.of(ServerCap.ANSWER_MS),
                        TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<HttpReply> step(String path, CoordinatorSession session, byte[] body) throws Refusal {
        Matcher step = match(path);
        CompletableFuture<Exchange.WireReply> answer = session.take(
                Integer.parseInt(step.group(1)), Integer.parseInt(step.group(2)), request(step.group(3)), body);
        // A copy: the timeout of this request must not end the step.
        return answer.copy()
                .thenApply(RequestHandler::reply)
                .completeOnTimeout(null, caps.of(ServerCap.ANSWER_MS), TimeUnit.MILLISECONDS)
                .thenApply(
                        done -> done != null ? done : HttpReply.text(Paths.GOES_ON, String.valueOf(session.doing())));
    }

    private static Request request(String name) throws Refusal {
        try {
            return Request.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(Paths.UNKNOWN, "there is no request " + name);
        }
    }

    private static HttpReply reply(Exchange.WireReply answer) {
        return new HttpReply(answer.refused() ? Paths.FAILED : Paths.DONE, BYTES, answer.body());
    }

    private void reply(
            org.eclipse.jetty.server.Request request, Response response, Callback callback, HttpReply reply) {
        Connection connection = connection(request);
        connections.answered(connection);
        response.setStatus(reply.status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.type);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        response.getHeaders().put(Paths.INCARNATION, workerLease.incarnation());
        if (reply.status == Paths.TOO_LARGE) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        response.write(true, ByteBuffer.wrap(reply.body), callback);
    }

    private static Connection connection(org.eclipse.jetty.server.Request request) {
        return request.getConnectionMetaData().getConnection();
    }
}
