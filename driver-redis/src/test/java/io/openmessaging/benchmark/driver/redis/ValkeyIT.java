package io.openmessaging.benchmark.driver.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.redis.RedisConfig.RedisMode;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.suite.Smoke;
import io.openmessaging.benchmark.suite.Variant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the contract with Valkey instead of Redis. */
@Variant
class ValkeyIT extends RedisContract {

    @SuppressWarnings("NullAway.Init")
    private static LocalRedis valkey;

    ValkeyIT() {
        super(RedisMode.STREAM);
    }

    @BeforeAll
    static void start() {
        valkey = LocalRedis.startValkey().withReader();
    }

    @AfterAll
    static void stop() {
        valkey.close();
    }

    @Override
    LocalRedis redis() {
        return valkey;
    }

    @Test
    @Smoke
    void aResultNamesValkeyAndItsOwnVersion() throws Exception {
        try (DriverSession session = DriverSession.open(driver(), config(), NumberedMessages.TIMEOUT)) {
            assertThat(session.connection().describeBroker().product()).isEqualTo("Valkey");
            assertThat(session.connection().describeBroker().version()).startsWith("8.1.");
        }
    }
}
