package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriverFilesTest extends DriverFilesContractTest<NatsConfig> {

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Test
    void thereIsOneForEachWayToCarryMessagesAndEachGuarantee() {
        assertThat(files())
                .extracting(ShippedDriverFile::toString)
                .containsExactly(
                        "nats-core.yaml",
                        "nats-durable.yaml",
                        "nats-fast.yaml",
                        "nats-push.yaml",
                        "nats-work-queue.yaml",
                        "nats.yaml");
        assertThat(files().get(1).brokerNodes()).isEqualTo(3);
        assertThat(files().get(1).brokerSettings()).isEqualTo(Map.of("jetstream.sync_interval", "always"));
    }

    @Test
    void eachPointsToTheUsualPort() {
        assertThat(files())
                .allSatisfy(file -> assertThat(new NatsBenchmarkDriver().addresses(config(file)))
                        .containsExactly("localhost:4222"));
    }
}
