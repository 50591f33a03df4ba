package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.redis.RedisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;

class SecurityIT extends SecurityContractTest<RedisConfig> {

    @Override
    protected BenchmarkDriver<RedisConfig> driver() {
        return new RedisBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new RedisLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "redis.yaml";
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        // Redis closes the connection of a client without TLS.
        return tls ? "Connection reset|Unexpected end of stream" : "NOAUTH Authentication required";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "WRONGPASS invalid username-password pair";
    }
}
