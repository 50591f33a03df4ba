package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.resources.KernelLimits;
import io.openmessaging.benchmark.resources.KernelLimits.Limit;
import org.junit.jupiter.api.Test;

class ClientCapacityTest {

    private static final ProcessNeeds NEEDS = new ProcessNeeds(30_000, 90_000, "set a key in the driver file");

    private final ClientCapacity clients = new ClientCapacity(10_000, 10_000, false);

    private static KernelLimits limits(long threads, long descriptors) {
        return new KernelLimits(new Limit(threads, "ulimit -u"), new Limit(descriptors, "ulimit -n"));
    }

    @Test
    void whatFitsLacksNothing() {
        assertThat(clients.lacking(NEEDS, limits(30_000, 90_000))).isEmpty();
    }

    @Test
    void theLimitThatIsTooLowIsNamedWithWhatToDo() {
        assertThat(clients.lacking(NEEDS, limits(30_000, 20_000)))
                .hasValue(
                        "10,000 producers and 10,000 consumers need at least 90,000 file descriptors, but a process here"
                                + " may have only 20,000 (ulimit -n): set a key in the driver file, or raise the limit");
    }

    @Test
    void bothLimitsAreNamed() {
        assertThat(clients.lacking(NEEDS, limits(29_999, 89_999)))
                .hasValueSatisfying(lack -> assertThat(lack)
                        .contains("30,000 threads and 90,000 file descriptors")
                        .contains("29,999 (ulimit -u) and 89,999 (ulimit -n)"));
    }
}
