package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the contract in one mode, which each subclass chooses. */
@ExtendWith(SharedRedis.class)
abstract class RedisContract extends DriverContractTest<RedisConfig> {

    private static final int PAYLOAD_BYTES = 100;

    private final RedisMode mode;

    RedisContract(RedisMode mode) {
        this.mode = mode;
    }

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    /** Returns the server, with its reader. */
    LocalRedis redis() {
        return SharedRedis.get();
    }

    @Override
    protected RedisConfig config() {
        return redis().config(mode);
    }

    /** Redis accepts any message that fits into its memory, but not from every user. */
    @Override
    protected FailingSend<RedisConfig> failingSend() {
        Map<String, Object> login = Map.of("redisUser", LocalRedis.READER, "redisPass", LocalRedis.READER_PASSWORD);
        return new FailingSend<>(redis().config(mode, login), PAYLOAD_BYTES);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return mode == RedisMode.STREAM ? DriverCapabilities.ALL : DriverCapabilities.ALL.withoutReadingAnew();
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return mode == RedisMode.STREAM
                ? PartitionKeys.partition(topic, 0)
                : skip("channels and lists keep nothing that a run could use");
    }
}
