package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** The contract with Valkey in the place of Redis. */
class ValkeyIT extends DriverContractTest<RedisConfig> {

    @SuppressWarnings("NullAway.Init")
    private static LocalRedis valkey;

    @BeforeAll
    static void start() {
        valkey = LocalRedis.startValkey();
        try (Jedis jedis = valkey.jedis()) {
            jedis.aclSetUser("reader", "on", ">secret", "~*", "&*", "+@all", "-xadd");
        }
    }

    @AfterAll
    static void stop() {
        valkey.close();
    }

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Override
    protected RedisConfig config() {
        return valkey.config(RedisMode.STREAM);
    }

    @Override
    protected FailingSend<RedisConfig> failingSend() {
        Map<String, Object> login = Map.of("redisUser", "reader", "redisPass", "secret");
        return new FailingSend<>(valkey.config(RedisMode.STREAM, login), 100);
    }

    @Test
    void aResultNamesValkeyAndItsOwnVersion() throws Exception {
        try (DriverSession session = DriverSession.open(driver(), config(), Traffic.TIMEOUT)) {
            assertThat(session.connection().describeBroker().product()).isEqualTo("Valkey");
            assertThat(session.connection().describeBroker().version()).startsWith("8.1.");
        }
    }
}
