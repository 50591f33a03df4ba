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

/** The server end of one link: sends what a test specifies, and makes the link's read timeout expire on request. */
final class ScriptedServer implements AutoCloseable {

    /** In replies, stands for a read timeout that expires before the next byte. */
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
        // Set by jedis and Redis, too: otherwise a reply in two pieces waits 40 ms for the acknowledgement of the
        // first.
        client.setTcpNoDelay(true);
        accepted.setTcpNoDelay(true);
    }

    /** Returns the only link to this server. */
    RedisLink link() {
        return new RedisLink(
                new HostAndPort("127.0.0.1", listening.getLocalPort()), client, RedisLink.MOST_BUFFER_BYTES);
    }

    void say(String replies) throws IOException {
        accepted.getOutputStream().write(replies.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends nothing until this number of reads of the link has timed out. */
    void beSilent(int limits) throws IOException {
        say(String.valueOf(LIMIT_PASSES).repeat(limits));
    }

    /** Returns how many reads of the link have timed out. */
    int passedLimits() {
        return passedLimits.get();
    }

    /** Waits for this number of bytes and returns them. */
    String hear(int bytes) throws IOException {
        return new String(accepted.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
    }

    /** Returns how many bytes have arrived but were not yet returned by {@link #hear}. */
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

    /** A socket whose read timeout expires when the server requests it. */
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
