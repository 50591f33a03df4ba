package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final Duration LIMIT = Duration.ofMillis(100);

    private final RecordingListener listener = new RecordingListener();

    private void arrives(int number) {
        listener.received(null, NumberedPayload.of(number, NumberedPayload.MIN_BYTES), 0);
    }

    @Test
    void aMessageThatArrivesTwiceDoesNotStandInForAnother() throws Exception {
        arrives(0);
        arrives(0);
        long beganNs = System.nanoTime();
        Arrivals arrivals = Arrivals.await("the consumer", 0, 2, LIMIT, listener);
        assertThat(System.nanoTime() - beganNs).as("waits for the other").isGreaterThanOrEqualTo(LIMIT.toNanos());
        assertThatThrownBy(() -> arrivals.areExactly(0, 2)).hasMessageContaining("lost for the consumer");

        arrives(1);
        assertThatThrownBy(() ->
                        Arrivals.await("the consumer", 0, 2, LIMIT, listener).areExactly(0, 2))
                .hasMessageContaining("got twice");
    }
}
