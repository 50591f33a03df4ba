package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** A real Redis. */
final class LocalRedis implements AutoCloseable {

    private final TestBroker<RedisConfig> started;

    private LocalRedis(Map<String, String> settings) {
        started = TestBroker.start(new RedisBenchmarkDriver(), new RedisLocalBroker(), Setup.with(settings));
    }

    /** Starts one with some entries of {@code redis.conf}. */
    static LocalRedis start(Map<String, String> settings) {
        return new LocalRedis(settings);
    }

    String address() {
        return started.addresses().get(0);
    }

    HostAndPort node() {
        return HostAndPort.from(address());
    }

    /** The program that runs; its file goes by several names, which decide what it does. */
    Path program() {
        return ProcessHandle.of(started.broker().nodes().get(0).pid())
                .flatMap(process -> process.info().command())
                .map(file -> Path.of(file).resolveSibling("redis-server"))
                .orElseThrow();
    }

    /** A connection that the test closes. */
    Jedis jedis() {
        return new Jedis(node());
    }

    /** A configuration that points here. */
    RedisConfig config(RedisMode mode) {
        return config(mode, Map.of());
    }

    /** The same with further keys. */
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
