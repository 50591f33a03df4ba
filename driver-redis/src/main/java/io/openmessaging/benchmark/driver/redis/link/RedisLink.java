package io.openmessaging.benchmark.driver.redis.link;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/**
 * One connection whose two directions belong to different threads: one thread at a time writes commands, one at a time
 * reads replies, and any thread may call {@link #close}.
 *
 * <p>Jedis encodes and parses everything; the package's description explains why its pipelines are not used.
 */
public final class RedisLink implements AutoCloseable {

    /** Room for a pipeline of 64 messages of 1 KB, so that one write, or one read, takes them all. */
    public static final int MOST_BUFFER_BYTES = 128 * 1024;

    /** Redis sends push messages only in the newer protocol version, which is not used. */
    private static final PushConsumerChain NO_PUSHES = PushConsumerChainImpl.of();

    private static final CommandArguments ASKING = new CommandArguments(Protocol.Command.ASKING);

    private final HostAndPort node;
    private final Socket socket;
    private final RedisOutputStream out;
    private final Replies in;

    /** True if ASKING precedes each command, so that a cluster node serves a slot that is moving to it. */
    private boolean asks;

    /**
     * Takes over the socket, on which nothing may be in flight.
     *
     * @param bufferBytes size of the buffer of each direction, bytes
     */
    public RedisLink(HostAndPort node, Socket socket, int bufferBytes) {
        this.node = node;
        this.socket = socket;
        try {
            this.out = new RedisOutputStream(socket.getOutputStream(), bufferBytes);
            this.in = new Replies(socket.getInputStream(), bufferBytes);
        } catch (IOException e) {
            throw new JedisConnectionException("The connection to " + node + " was lost.", e);
        }
    }

    /** Makes the node serve keys of slots that are moving to it; called before the first command. */
    public RedisLink asking() {
        asks = true;
        return this;
    }

    /** Returns the node at the other end. */
    public HostAndPort node() {
        return node;
    }

    /** Sets the limit for {@link #awaitReply} and for the rest of a reply that has started; zero for none. */
    public void limitReads(Duration limit) throws IOException {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, limit.toMillis()));
    }

    /** Encodes a command, copying everything; it is sent on the next flush, or once the buffer is full. */
    public void write(CommandArguments command) {
        if (asks) {
            Protocol.sendCommand(out, ASKING);
        }
        Protocol.sendCommand(out, command);
    }

    /** Returns whether this side has closed the link. */
    public boolean isClosed() {
        return socket.isClosed();
    }

    /** Writes the buffer to the socket. */
    public void flush() throws IOException {
        out.flush();
    }

    /**
     * Returns whether the start of a reply is already in the buffer, so that {@link #read} finds it without a system
     * call.
     */
    public boolean hasReply() {
        return in.hasBytes();
    }

    /**
     * Waits until a reply starts.
     *
     * @return false if the limit passed first; the link remains usable
     * @throws EOFException if Redis has closed the connection
     */
    public boolean awaitReply() throws IOException {
        return in.awaitBytes();
    }

    /**
     * Reads a reply: {@code Long}, {@code byte[]}, {@code List} of these, or null.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if it is an error; the link remains usable
     * @throws JedisConnectionException if the connection is lost
     */
    @Nullable
    public Object read() {
        if (asks) {
            Protocol.read(in, NO_PUSHES);
        }
        return Protocol.read(in, NO_PUSHES);
    }

    @Override
    public void close() {
        IOUtils.closeQuietly(socket);
    }

    private static final class Replies extends RedisInputStream {

        Replies(InputStream in, int bytes) {
            super(in, bytes);
        }

        boolean hasBytes() {
            return count < limit;
        }

        boolean awaitBytes() throws IOException {
            if (hasBytes()) {
                return true;
            }
            int read;
            try {
                read = in.read(buf);
            } catch (SocketTimeoutException e) {
                return false;
            }
            if (read < 0) {
                throw new EOFException("Redis has closed the connection");
            }
            count = 0;
            limit = read;
            return true;
        }
    }
}
