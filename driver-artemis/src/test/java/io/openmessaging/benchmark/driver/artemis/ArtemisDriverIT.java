package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.Map;

/** Tests the contract with the defaults: durable messages, MULTICAST, one connection per client. */
class ArtemisDriverIT extends DriverContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected ArtemisConfig config() {
        return config(Map.of());
    }

    /** Returns a configuration with further keys. */
    ArtemisConfig config(Map<String, ?> keys) {
        ArtemisConfig config = TestConfigs.with(keys);
        return LocalArtemis.shared(config.client()).reach(config);
    }

    /**
     * A large message is sent in parts of {@code minLargeMessageSize} bytes, and the first part must hold all
     * properties.
     */
    @Override
    protected FailingSend<ArtemisConfig> failingSend() {
        return new FailingSend<>(config(Map.of("minLargeMessageSize", 20)), 1000);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutReadingAnew();
    }

    /** Returns a queue that another client created at the address. */
    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) throws Exception {
        owner.close(owner.consumer(topic, "others", new RecordingListener()));
        return topic.name() + "::" + ArtemisTopics.queue(ArtemisTopics.whole(topic.name()), "others");
    }

    @Override
    protected boolean existingTopicsKeepMessages() {
        return false;
    }

    /** Only messages whose producer sets the time have one. */
    @Override
    protected boolean messagesHaveTimes() {
        return false;
    }
}
