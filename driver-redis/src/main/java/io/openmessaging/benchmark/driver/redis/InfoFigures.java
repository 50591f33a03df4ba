package io.openmessaging.benchmark.driver.redis;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.Links;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/**
 * The numeric values of {@code INFO}, such as {@code used_memory}, read over a separate connection; also, as
 * {@value #ENTRIES}, the number of messages in the streams or lists of this driver, as long as there are few keys.
 */
final class InfoFigures implements NodeFigures {

    static final String ENTRIES = "benchmark_entries";

    /**
     * With at most this many keys, asking for all lengths takes less than a millisecond of Redis' only command thread.
     */
    private static final int MOST_KEYS = 200;

    private final RedisConfig config;
    private final String address;

    /** Closed by a thread other than the one that reads. */
    private final Links links;

    private @Nullable Jedis jedis;

    /** Does not connect yet. */
    InfoFigures(RedisConfig config, String address, Duration timeout) {
        this.config = config;
        this.address = address;
        this.links = new Links(config.clientConfig(timeout));
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Map<String, Double> read() throws DriverException {
        try {
            Jedis connected = jedis == null ? links.jedis(HostAndPort.from(address)) : jedis;
            jedis = connected;
            Map<String, Double> numbers = numbers(BrokerInfo.parse(connected.info()));
            if (config.mode() != RedisMode.PUBSUB) {
                addEntries(connected, numbers);
            }
            return numbers;
        } catch (RuntimeException e) {
            // The reply to this request may still arrive on the old connection.
            links.breakOff();
            jedis = null;
            throw CALLS.refused("read the resource usage of Redis", e);
        }
    }

    private void addEntries(Jedis connected, Map<String, Double> numbers) {
        try {
            if (connected.dbSize() > MOST_KEYS) {
                return;
            }
            // A table of few keys may still be as large as it was with many: one answer need not have all of them.
            Set<String> keys = new HashSet<>();
            String cursor = ScanParams.SCAN_POINTER_START;
            do {
                ScanResult<String> some =
                        connected.scan(cursor, new ScanParams().match("{*:*}*").count(2 * MOST_KEYS));
                keys.addAll(some.getResult());
                cursor = some.getCursor();
            } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
            Pipeline pipeline = connected.pipelined();
            List<Response<Long>> lengths = new ArrayList<>();
            for (String key : keys) {
                if (config.mode() == RedisMode.STREAM && PartitionKeys.isPartition(key)) {
                    lengths.add(pipeline.xlen(key));
                } else if (config.mode() == RedisMode.LIST && PartitionKeys.isList(key)) {
                    lengths.add(pipeline.llen(key));
                }
            }
            pipeline.sync();
            numbers.put(ENTRIES, lengths.stream().mapToDouble(Response::get).sum());
        } catch (JedisDataException e) {
            // The user lacks permission, or the key is not ours: the number stays unknown.
        }
    }

    private static Map<String, Double> numbers(Map<String, String> info) {
        Map<String, Double> numbers = new HashMap<>();
        info.forEach((key, value) -> {
            try {
                numbers.put(key, Double.valueOf(value));
            } catch (NumberFormatException e) {
                // The value is a word or a list.
            }
        });
        return numbers;
    }

    @Override
    public void close() {
        links.close();
    }
}
