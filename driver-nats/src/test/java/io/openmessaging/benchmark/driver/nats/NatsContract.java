package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract with some keys, which each subclass chooses. */
abstract class NatsContract extends DriverContractTest<NatsConfig> {

    @RegisterExtension
    static final LocalNats NATS = new LocalNats();

    /** NATS takes at most 1 MiB by default. */
    private static final int TOO_LARGE_BYTES = 1024 * 1024 + 1;

    private final Map<String, ?> keys;

    NatsContract(Map<String, ?> keys) {
        this.keys = keys;
    }

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Override
    protected NatsConfig config() {
        return NATS.config(keys);
    }

    @Override
    protected FailingSend<NatsConfig> failingSend() {
        return new FailingSend<>(config(), TOO_LARGE_BYTES);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return config().keepsConsumed() ? DriverCapabilities.ALL : DriverCapabilities.ALL.withoutReadingAnew();
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return config().keepsConsumed() ? topic.name() : skip("nothing is kept before there is a subscription");
    }
}
