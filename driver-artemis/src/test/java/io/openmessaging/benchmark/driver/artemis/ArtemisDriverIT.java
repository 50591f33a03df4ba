package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverCapabilities;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import java.util.Map;

/** The contract with the defaults: durable messages, MULTICAST, a connection for each client. */
class ArtemisDriverIT extends DriverContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected ArtemisConfig config() {
        return config(Map.of());
    }

    /** With further keys. */
    ArtemisConfig config(Map<String, ?> keys) {
        ArtemisConfig config = TestConfigs.with(keys);
        return LocalArtemis.shared(config.client()).reach(config);
    }

    /** A large message is sent in parts of this size, and the first has to hold all properties. */
    @Override
    protected FailingSend<ArtemisConfig> failingSend() {
        return new FailingSend<>(config(Map.of("minLargeMessageSize", 20)), 1000);
    }

    @Override
    protected DriverCapabilities capabilities() {
        return DriverCapabilities.ALL.withoutReadingAnew();
    }

    /** A queue that others have made at the address. */
    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) throws Exception {
        owner.close(owner.consumer(topic, "others", new RecordingListener()));
        return topic.name() + "::" + ArtemisTopics.queue(ArtemisTopics.whole(topic.name()), "others");
    }

    @Override
    protected boolean existingTopicsKeepMessages() {
        return false;
    }

    /** A producer has to set it. */
    @Override
    protected boolean messagesHaveTimes() {
        return false;
    }
}
