package io.openmessaging.benchmark.driver.redis.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import redis.clients.jedis.HostAndPort;

/** The other end of one link: says what a test tells it to say. */
final class ScriptedServer implements AutoCloseable {

    private static final Duration READ_LIMIT = Duration.ofSeconds(20);

    private final ServerSocket listening;
    private final Socket client;
    private final Socket accepted;

    ScriptedServer() throws IOException {
        this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        this.client = new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
        this.accepted = listening.accept();
        accepted.setSoTimeout((int) READ_LIMIT.toMillis());
        // As jedis and Redis do: otherwise a reply in two pieces waits 40 ms for the acknowledgement of the first.
        client.setTcpNoDelay(true);
        accepted.setTcpNoDelay(true);
    }

    /** The link to this server; there is one. */
    RedisLink link() {
        return new RedisLink(
                new HostAndPort("127.0.0.1", listening.getLocalPort()), client, RedisLink.MOST_BUFFER_BYTES);
    }

    void say(String replies) throws IOException {
        accepted.getOutputStream().write(replies.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits for so many bytes and returns them. */
    String hear(int bytes) throws IOException {
        return new String(accepted.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    /** How many bytes have come that nobody has heard yet. */
    int unheard() throws IOException {
        return accepted.getInputStream().available();
    }

    void hangUp() throws IOException {
        accepted.close();
    }

    @Override
    public void close() throws IOException {
        accepted.close();
        client.close();
        listening.close();
    }
}
