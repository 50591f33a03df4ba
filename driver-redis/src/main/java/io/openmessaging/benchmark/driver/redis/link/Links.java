package io.openmessaging.benchmark.driver.redis.link;

import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;

/**
 * Opens connections for one owner and remembers their sockets, so that {@link #breakOff} ends all waits for them.
 * Thread-safe.
 */
public final class Links {

    private final JedisClientConfig clientConfig;
    private final int bufferBytes;
    private final Set<Socket> sockets = new HashSet<>();
    private boolean closed;

    /**
     * Opens nothing yet.
     *
     * @param clientConfig login, limits and encryption of every connection
     */
    public Links(JedisClientConfig clientConfig) {
        this(clientConfig, RedisLink.MOST_BUFFER_BYTES);
    }

    /**
     * Opens nothing yet; for one of many owners.
     *
     * @param bufferBytes size of the buffer of each direction of a {@link RedisLink}, bytes
     */
    public Links(JedisClientConfig clientConfig, int bufferBytes) {
        this.clientConfig = clientConfig;
        this.bufferBytes = bufferBytes;
    }

    /** Opens a connection for one command at a time, logged in. */
    public Jedis jedis(HostAndPort node) {
        return new Jedis(new Connection(() -> socket(node), clientConfig));
    }

    /**
     * Opens a connection for two threads, logged in.
     *
     * @throws JedisConnectionException if the node cannot be reached
     */
    public RedisLink open(HostAndPort node) {
        Socket socket = socket(node);
        // Logs in; only the socket is needed afterwards.
        new Connection(() -> socket, clientConfig).connect();
        return new RedisLink(node, socket, bufferBytes);
    }

    private Socket socket(HostAndPort node) {
        Socket socket = new DefaultJedisSocketFactory(node, clientConfig).createSocket();
        synchronized (sockets) {
            sockets.removeIf(Socket::isClosed);
            sockets.add(socket);
            if (closed) {
                IOUtils.closeQuietly(socket);
            }
        }
        return socket;
    }

    /** Closes all connections opened so far, and every one opened later. */
    public void close() {
        synchronized (sockets) {
            closed = true;
        }
        breakOff();
    }

    /** Closes all connections opened so far. */
    public void breakOff() {
        List<Socket> open;
        synchronized (sockets) {
            open = new ArrayList<>(sockets);
            sockets.clear();
        }
        open.forEach(IOUtils::closeQuietly);
    }
}
