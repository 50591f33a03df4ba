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
 * reads replies, and {@link #close} may be called by any.
 *
 * <p>What travels is encoded and parsed by jedis; see the package's description for why its pipelines do not do.
 */
public final class RedisLink implements AutoCloseable {

    /** Room for a pipeline of 64 messages of 1 KB, so that they are one write, or read. */
    public static final int MOST_BUFFER_BYTES = 128 * 1024;

    /** Redis sends some only in the newer version of its protocol, which is not used. */
    private static final PushConsumerChain NO_PUSHES = PushConsumerChainImpl.of();

    private static final CommandArguments ASKING = new CommandArguments(Protocol.Command.ASKING);

    private final HostAndPort node;
    private final Socket socket;
    private final RedisOutputStream out;
    private final Replies in;

    /** Whether each command is preceded by one that has a node of a cluster serve a slot that it is being given. */
    private boolean asks;

    /**
     * Takes the socket over, on which nothing may be under way.
     *
     * @param bufferBytes of each direction
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

    /** Has the node serve keys of slots that are on their way to it; called before the first command. */
    public RedisLink asking() {
        asks = true;
        return this;
    }

    /** Where it leads. */
    public HostAndPort node() {
        return node;
    }

    /** The limit for {@link #awaitReply} and for the rest of a reply that has begun; zero for none. */
    public void limitReads(Duration limit) throws IOException {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, limit.toMillis()));
    }

    /** Encodes a command, copying everything; it is in flight once flushed, or once the buffer is full. */
    public void write(CommandArguments command) {
        if (asks) {
            Protocol.sendCommand(out, ASKING);
        }
        Protocol.sendCommand(out, command);
    }

    /** Whether this side has closed it. */
    public boolean isClosed() {
        return socket.isClosed();
    }

    /** Writes to the socket what is in the buffer. */
    public void flush() throws IOException {
        out.flush();
    }

    /** Whether {@link #read} finds at least the beginning of a reply without asking the system. */
    public boolean hasReply() {
        return in.hasBytes();
    }

    /**
     * Waits until a reply begins.
     *
     * @return false if the limit was over first; the link can be used further on
     * @throws EOFException if Redis has closed the connection
     */
    public boolean awaitReply() throws IOException {
        return in.awaitBytes();
    }

    /**
     * Reads a reply: {@code Long}, {@code byte[]}, {@code List} of these, or null.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if it is an error; the link can be used further on
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
