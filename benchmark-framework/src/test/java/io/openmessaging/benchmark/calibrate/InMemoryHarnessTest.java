package io.openmessaging.benchmark.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class InMemoryHarnessTest {

    /** A load may be shorter than a workload file allows; every key that is not named here has its default. */
    @Test
    void aLoadMayBeShortAndHasOnePeriod() {
        ProducerRate rate = new ProducerRate.Fixed(2_828_427.1247461903);
        Workload workload = InMemoryHarness.workload(rate, 3, Duration.ofMillis(100), Duration.ofMillis(600))
                .workload();

        assertThat(workload.producerRate()).isEqualTo(rate);
        assertThat(workload.topics()).isEqualTo(3);
        assertThat(workload.partitionsPerTopic()).isEqualTo(1);
        assertThat(workload.hasConsumers()).isTrue();
        assertThat(workload.messageSize()).isEqualTo(InMemoryHarness.MESSAGE_BYTES);
        assertThat(workload.warmupTime()).isEqualTo(Duration.ofMillis(100));
        assertThat(workload.testTime()).contains(Duration.ofMillis(600));
        assertThat(workload.samplePeriod()).isEqualTo(Duration.ofMillis(1200));
        assertThat(workload.resourcePeriod()).isZero();
        assertThat(workload.messageCount()).isNull();
    }

    @Test
    void aLoadMayBeUnlimited() {
        Workload workload = InMemoryHarness.workload(
                        new ProducerRate.Unlimited(), 1, Duration.ofMillis(100), Duration.ofSeconds(3))
                .workload();

        assertThat(workload.producerRate()).isEqualTo(new ProducerRate.Unlimited());
    }
}
