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
 * Whether servers and this process have room for many clients, each of which has connections of its own.
 *
 * @param control to ask the servers
 */
public record ServerRoom(ControlPlane control) {

    /** For the buffers of all clients created together, in each direction. */
    private static final int BUFFERS_BYTES = 64 * 1024 * 1024;

    private static final int FEWEST_BUFFER_BYTES = 8 * 1024;

    private static final Pattern CONNECTED = Pattern.compile("(?m)^connected_clients:(\\d+)");
    private static final Pattern MOST = Pattern.compile("(?m)^maxclients:(\\d+)");

    /** How large each buffer of so many clients may be. */
    public static int bufferBytes(int clients) {
        return Math.min(
                RedisLink.MOST_BUFFER_BYTES, Math.max(FEWEST_BUFFER_BYTES, BUFFERS_BYTES / Math.max(1, clients)));
    }

    /**
     * Refuses clients that would need more connections than a server takes. A server that does not tell its limit refuses them
     * itself.
     *
     * @param attempt what is to be done, so that "Could not " may stand before it
     * @param nodes to which a client connects, one for each connection
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
                        + " connections, and Redis at " + node.getKey() + " takes " + most + " (maxclients), of which "
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
