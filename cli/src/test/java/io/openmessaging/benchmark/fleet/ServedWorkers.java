package io.openmessaging.benchmark.fleet;

import io.openmessaging.benchmark.measure.EpochClock;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Workers in this process that nobody asks for a run. */
final class ServedWorkers implements AutoCloseable {

    static final Build BUILD = new Build("1.0", Map.of("lib", "abc"));

    private final Deque<WorkerServer> servers = new ArrayDeque<>();

    /** Starts one; port 0 is any. */
    WorkerServer start(@Nullable KeyFile key, int port) throws IOException {
        WorkerServer server = WorkerServer.start(
                new WorkerServer.Settings(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        key,
                        Duration.ofSeconds(15),
                        ServerCaps.defaults()),
                new WorkerServer.Host(
                        BUILD,
                        progress -> {
                            throw new IllegalStateException("nobody asks for a run");
                        },
                        new EpochClock()));
        servers.push(server);
        return server;
    }

    @Override
    public void close() {
        servers.forEach(WorkerServer::close);
    }
}
