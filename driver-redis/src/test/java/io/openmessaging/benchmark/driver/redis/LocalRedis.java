package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** A real Redis. */
final class LocalRedis implements AutoCloseable {

    private final Path folder;
    private final RunningBroker broker;

    private LocalRedis(Path folder, RunningBroker broker) {
        this.folder = folder;
        this.broker = broker;
    }

    /** Starts one with some entries of {@code redis.conf}. */
    static LocalRedis start(Map<String, String> settings) throws Exception {
        Path home = Path.of(System.getProperty("benchmark.home"));
        Path folder = Files.createTempDirectory("driver-redis-");
        try {
            LocalBrokerOptions options = new LocalBrokerOptions(
                    1,
                    null,
                    home,
                    folder.resolve("redis"),
                    0,
                    LocalBrokerOptions.Lifetime.WITH_STARTER,
                    System.err::println,
                    settings);
            return new LocalRedis(folder, new RedisLocalBroker().start(options));
        } catch (Exception e) {
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    String address() {
        return broker.addresses().get(0);
    }

    HostAndPort node() {
        return HostAndPort.from(address());
    }

    /** The program that runs; its file goes by several names, which decide what it does. */
    Path program() {
        return ProcessHandle.of(broker.nodes().get(0).pid())
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
    public void close() throws IOException {
        broker.close();
        Files.deleteIfExists(folder);
    }
}
