package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.broker.redis.ValkeyLocalBroker;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** A real Redis. */
final class LocalRedis implements AutoCloseable {

    /** A user that {@link #withReader()} creates. */
    static final String READER = "reader";

    static final String READER_PASSWORD = "of-the-reader";

    private final TestBroker<RedisConfig> started;

    private LocalRedis(LocalBroker kind, Setup setup) {
        started = TestBroker.start(new RedisBenchmarkDriver(), kind, setup);
    }

    /** Starts a server with some entries of {@code redis.conf}. */
    static LocalRedis start(Map<String, String> settings) {
        return new LocalRedis(new RedisLocalBroker(), Setup.with(settings));
    }

    /** Starts the broker that a driver file requests. */
    static LocalRedis start(ShippedDriverFile file) {
        LocalBroker kind = file.brokerName().equals("valkey") ? new ValkeyLocalBroker() : new RedisLocalBroker();
        return new LocalRedis(kind, new Setup(file.brokerNodes(), null, file.brokerSettings()));
    }

    /** Starts a cluster of three masters. */
    static LocalRedis startCluster() {
        return new LocalRedis(new RedisLocalBroker(), Setup.ofNodes(3));
    }

    /** Starts a Valkey instead. */
    static LocalRedis startValkey() {
        return new LocalRedis(new ValkeyLocalBroker(), Setup.SINGLE);
    }

    /** Adds a user who may do everything except send messages. */
    LocalRedis withReader() {
        try (Jedis jedis = jedis()) {
            jedis.aclSetUser(READER, "on", ">" + READER_PASSWORD, "~*", "&*", "+@all", "-xadd", "-publish", "-lpush");
        }
        return this;
    }

    List<String> addresses() {
        return started.addresses();
    }

    String address() {
        return started.addresses().get(0);
    }

    HostAndPort node() {
        return HostAndPort.from(address());
    }

    /** Returns a connection, which the test closes. */
    Jedis jedis() {
        return new Jedis(node());
    }

    /** Returns a configuration for this server. */
    RedisConfig config(RedisMode mode) {
        return config(mode, Map.of());
    }

    /** Returns a configuration for this server, with further keys. */
    RedisConfig config(RedisMode mode, Map<String, Object> keys) {
        Map<String, Object> all = new HashMap<>(keys);
        all.put("mode", mode);
        all.put("redisHost", node().getHost());
        all.put("redisPort", node().getPort());
        return Configs.of(all);
    }

    @Override
    public void close() {
        started.close();
    }
}
