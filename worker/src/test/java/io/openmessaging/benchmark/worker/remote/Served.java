package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.KeyFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A test's workers behind servers on loopback, and a coordinator for them; all of them end with the test. */
final class Served implements AutoCloseable {

    /** The build that both sides run. */
    static final Build BUILD = new Build("1.0", Map.of("lib", "abc"));

    /** On a busy machine, either side may stall for a while. */
    private static final Duration LEASE = Patience.LIMIT;

    private final Deque<Runnable> open = new ArrayDeque<>();

    /** Returns a worker as it is seen from the other end of the network. */
    Worker remote(Worker worker, @Nullable KeyFile key) {
        WorkerServer server = server(worker, key, ServerCaps.defaults());
        return new RemoteWorker(run(claim(key, server.url()).all().get(0)));
    }

    /** Returns the exchange of a new run. */
    static Exchange run(ClaimedWorker worker) {
        return waiting(member(worker));
    }

    /** Returns the worker as a member of the group of a new run. */
    static Member member(ClaimedWorker worker) {
        return worker.newRun(Optional::empty, Optional::empty);
    }

    /** Returns an exchange that waits for the member's answers. */
    static Exchange waiting(Member member) {
        return (request, body) -> {
            try {
                return member.exchange(request, body).get();
            } catch (InterruptedException e) {
                member.giveUp();
                throw e;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof DriverException failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            }
        };
    }

    /** Starts a server in front of a worker. */
    WorkerServer server(Worker worker, @Nullable KeyFile key, ServerCaps timeouts) {
        return server(worker, key, timeouts, 0, LEASE);
    }

    /** Starts a server in front of a worker, on the given port. */
    WorkerServer server(Worker worker, @Nullable KeyFile key, ServerCaps timeouts, int port, Duration lease) {
        AtomicReference<@Nullable Worker> once = new AtomicReference<>(worker);
        WorkerServer.Host host = new WorkerServer.Host(BUILD, progress -> once.getAndSet(null), new EpochClock());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            WorkerServer server = WorkerServer.start(new WorkerServer.Settings(address, key, lease, timeouts), host);
            open.push(server::close);
            return server;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Claims these workers for a coordinator. */
    Workers claim(@Nullable KeyFile key, String... urls) {
        try {
            Workers workers = Workers.claim(List.of(urls), coordinator(key));
            open.push(workers::close);
            return workers;
        } catch (WorkerException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Workers.ConnectOptions coordinator(@Nullable KeyFile key) {
        return new Workers.ConnectOptions(
                BUILD,
                "a test",
                key,
                false,
                WorkerTimeouts.defaults().with(WorkerTimeout.LOST, Patience.LIMIT),
                line -> {});
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
