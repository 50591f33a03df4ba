package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverContractTest;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.FailingSend;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the contract of all drivers with one way to use Pulsar. */
abstract class PulsarContract extends DriverContractTest<PulsarConfig> {

    @RegisterExtension
    static final LocalPulsar PULSAR = new LocalPulsar();

    /** More than the 5 MiB that a broker accepts by default. */
    private static final int TOO_LARGE_BYTES = 6 * 1024 * 1024;

    /** Returns the driver file without addresses. */
    abstract String yaml();

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected PulsarConfig config() {
        return PULSAR.reach(TestConfigs.of(yaml()));
    }

    @Override
    protected FailingSend<PulsarConfig> failingSend() {
        return new FailingSend<>(config(), TOO_LARGE_BYTES);
    }

    @Override
    protected String existingTopic(DriverSession owner, TopicSpec topic) {
        return config().client().isPersistent()
                ? "persistent://" + config().client().namespacePrefix() + "-" + owner.runId() + "/" + topic.name()
                : skip("what is not stored cannot be there already");
    }
}
