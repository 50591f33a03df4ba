package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/**
 * Checks that servers have room for many clients, each of which has its own connections, and sizes the buffers of
 * these in this process.
 *
 * @param control connections on which to ask the servers
 */
public record ServerRoom(ControlPlane control) {

    /** Memory for the buffers of all clients created together, in each direction. */
    private static final int BUFFERS_BYTES = 64 * 1024 * 1024;

    private static final int FEWEST_BUFFER_BYTES = 8 * 1024;

    private static final Pattern CONNECTED = Pattern.compile("(?m)^connected_clients:(\\d+)");
    private static final Pattern MOST = Pattern.compile("(?m)^maxclients:(\\d+)");

    /** Returns the size of each buffer, bytes, with this many clients. */
    public static int bufferBytes(int clients) {
        return Math.min(
                RedisLink.MOST_BUFFER_BYTES, Math.max(FEWEST_BUFFER_BYTES, BUFFERS_BYTES / Math.max(1, clients)));
    }

    /**
     * Refuses clients that would need more connections than a server accepts. A server that does not report its limit
     * refuses them itself.
     *
     * @param attempt what is attempted, to follow "Could not "
     * @param nodes nodes that a client connects to, one entry per connection
     */
    public <S> void require(String attempt, List<S> clients, Function<S, List<HostAndPort>> nodes)
            throws DriverException, InterruptedException {
        Map<HostAndPort, Long> wanted = clients.stream()
                .flatMap(client -> nodes.apply(client).stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        for (Map.Entry<HostAndPort, Long> node : wanted.entrySet()) {
            String info = control.call(attempt, () -> clients(node.getKey()));
            long most = number(MOST, info, Long.MAX_VALUE);
            long connected = number(CONNECTED, info, 0);
            if (node.getValue() > most - connected) {
                throw new DriverException("Could not " + attempt + ": they need " + node.getValue()
                        + " connections, and Redis at " + node.getKey() + " allows " + most + " (maxclients), of which "
                        + connected + " are in use");
            }
        }
    }

    private String clients(HostAndPort node) {
        Jedis jedis = control.jedis(node);
        return jedis.info("clients");
    }

    private static long number(Pattern name, String info, long otherwise) {
        Matcher matcher = name.matcher(info);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
    }
}
