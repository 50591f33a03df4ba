package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import org.junit.jupiter.api.Test;

class HarnessUsageTest {

    @Test
    void aDifferenceTellsCoresAndTheShareOfCollections() {
        HarnessUsage earlier = new HarnessUsage(1_000, 500, 3, 10, 2);
        HarnessUsage used = new HarnessUsage(2_000_001_000L, 3_000_000_500L, 7, 510, 2).since(earlier);
        assertThat(used).isEqualTo(new HarnessUsage(2_000_000_000L, 3_000_000_000L, 4, 500, 2));
        assertThat(used.cores()).isEqualTo(1.5);
        assertThat(used.collectionShare()).isEqualTo(0.25);
    }

    @Test
    void withoutTimeThereIsNoShare() {
        HarnessUsage nothing = new HarnessUsage(0, 0, 0, 0, 2);
        assertThat(nothing.cores()).isZero();
        assertThat(nothing.collectionShare()).isZero();
    }

    @Test
    void theProcessUsesProcessorTime() {
        HarnessUsage before = HarnessUsage.now();
        HarnessUsage used = Patience.await("processor time to be told")
                .until(() -> HarnessUsage.now().since(before), since -> since.cpuNs() > 0);
        assertThat(used.cores()).isPositive();
        assertThat(used.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(used.collections()).isNotNegative();
    }
}
