package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** The numbers among what {@code INFO} answers, such as {@code used_memory}, by a connection of its own. */
final class InfoFigures implements NodeFigures {

    private final RedisConfig config;
    private final String address;
    private final Duration timeout;

    /** Closed by another thread than the one that reads. */
    private volatile @Nullable Links links;

    private volatile boolean closed;
    private @Nullable Jedis jedis;

    /** Not connected yet. */
    InfoFigures(RedisConfig config, String address, Duration timeout) {
        this.config = config;
        this.address = address;
        this.timeout = timeout;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Map<String, Double> read() throws DriverException {
        try {
            return numbers(connected().info());
        } catch (RuntimeException e) {
            // The answer to this question may still come on the old connection.
            disconnect();
            throw new DriverException("Could not ask Redis what it uses: " + ControlCall.reason(e), e);
        }
    }

    private Jedis connected() {
        if (closed) {
            throw new JedisException("closed");
        }
        if (jedis == null) {
            Links opening = new Links(config, timeout);
            links = opening;
            jedis = opening.jedis(HostAndPort.from(address));
            if (closed) {
                opening.close();
            }
        }
        return jedis;
    }

    private void disconnect() {
        Links open = links;
        if (open != null) {
            open.close();
        }
        links = null;
        jedis = null;
    }

    static Map<String, Double> numbers(String info) {
        Map<String, Double> numbers = new HashMap<>();
        BrokerInfo.parse(info).forEach((key, value) -> {
            try {
                numbers.put(key, Double.valueOf(value));
            } catch (NumberFormatException e) {
                // A word or a list.
            }
        });
        return numbers;
    }

    @Override
    public void close() {
        closed = true;
        Links open = links;
        if (open != null) {
            open.close();
        }
    }
}
