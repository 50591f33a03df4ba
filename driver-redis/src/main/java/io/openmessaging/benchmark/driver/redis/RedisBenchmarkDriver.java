package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.redis.link.ControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import redis.clients.jedis.Jedis;

/** Driver for Redis and systems that speak its protocol: streams, publish/subscribe or lists. */
public final class RedisBenchmarkDriver implements BenchmarkDriver<RedisConfig> {

    private static final String JEDIS_PROPERTIES = "/META-INF/maven/redis.clients/jedis/pom.properties";

    @Override
    public Class<RedisConfig> configType() {
        return RedisConfig.class;
    }

    @Override
    public List<String> addresses(RedisConfig config) {
        return config.addresses();
    }

    @Override
    public RedisConfig withAddresses(RedisConfig config, List<String> addresses) {
        return config.withAddresses(addresses);
    }

    @Override
    public List<NodeFigures> nodeFigures(RedisConfig config, Duration timeout) {
        if (!config.sentinels().isEmpty()) {
            // Only the sentinels know where the servers are.
            return List.of();
        }
        return config.addresses().stream()
                .<NodeFigures>map(address -> new InfoFigures(config, address, timeout))
                .toList();
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(RedisConfig config) {
        return config.nodeNeeds();
    }

    @Override
    public List<String> localBrokers() {
        return List.of("redis", "valkey");
    }

    @Override
    public List<String> existingTopics(RedisConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(RedisConfig config) {
        return config.mode() == RedisMode.STREAM
                ? Optional.of("the time in the entry's id (by the server's clock unless the sender has chosen the id)")
                : Optional.empty();
    }

    /** Entries of a stream have fields; elements of a list and messages of a channel are one value. */
    @Override
    public boolean carriesHeaders(RedisConfig config) {
        return config.mode() == RedisMode.STREAM;
    }

    @Override
    public String clientVersion() {
        Properties properties = new Properties();
        try (InputStream resource = Jedis.class.getResourceAsStream(JEDIS_PROPERTIES)) {
            if (resource != null) {
                properties.load(resource);
            }
        } catch (IOException e) {
            // The version stays unknown.
        }
        return "jedis " + properties.getProperty("version", "unknown");
    }

    @Override
    public DriverConnection connect(RedisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Duration timeout = context.timeout();
        ControlPlane control =
                ControlPlane.open(config.seeds(), config.clientConfig(timeout), config.seedConfig(timeout), timeout);
        return new RedisConnection(config, context, control);
    }
}
