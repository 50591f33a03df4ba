package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.HostAndPort;

/** The other end of one link: says what a test tells it to say, and has the link's limit for reads pass. */
final class ScriptedServer implements AutoCloseable {

    /** Among replies, a limit that passes before the next byte. */
    private static final char LIMIT_PASSES = 0;

    private final ServerSocket listening;
    private final Socket client;
    private final Socket accepted;
    private final AtomicInteger passedLimits = new AtomicInteger();

    ScriptedServer() throws IOException {
        this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        this.client = new ScriptedSocket(listening.getLocalPort(), passedLimits);
        this.accepted = listening.accept();
        accepted.setSoTimeout((int) Patience.LIMIT.toMillis());
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

    /** Says nothing for as long as the link waits in some reads. */
    void beSilent(int limits) throws IOException {
        say(String.valueOf(LIMIT_PASSES).repeat(limits));
    }

    /** In how many reads the link has waited in vain. */
    int passedLimits() {
        return passedLimits.get();
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

    /** One whose limit for reads passes when the server says so. */
    private static final class ScriptedSocket extends Socket {

        private final AtomicInteger passedLimits;

        ScriptedSocket(int port, AtomicInteger passedLimits) throws IOException {
            super(InetAddress.getLoopbackAddress(), port);
            this.passedLimits = passedLimits;
        }

        @Override
        public synchronized void setSoTimeout(int timeoutMs) {}

        @Override
        public InputStream getInputStream() throws IOException {
            return new ScriptedReads(super.getInputStream(), passedLimits);
        }
    }

    private static final class ScriptedReads extends PushbackInputStream {

        private final AtomicInteger passedLimits;

        ScriptedReads(InputStream in, AtomicInteger passedLimits) {
            super(in, RedisLink.MOST_BUFFER_BYTES);
            this.passedLimits = passedLimits;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int pushedBack = buf.length - pos;
            int count = super.read(bytes, offset, pushedBack == 0 ? length : Math.min(length, pushedBack));
            int replies = 0;
            while (replies < count && bytes[offset + replies] != LIMIT_PASSES) {
                replies++;
            }
            if (count < 0 || replies == count) {
                return count;
            }
            if (replies > 0) {
                unread(bytes, offset + replies, count - replies);
                return replies;
            }
            unread(bytes, offset + 1, count - 1);
            passedLimits.incrementAndGet();
            throw new SocketTimeoutException();
        }
    }
}
