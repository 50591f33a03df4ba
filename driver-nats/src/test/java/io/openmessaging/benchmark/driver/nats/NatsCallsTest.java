package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class NatsCallsTest {

    private static final String UNANSWERED = "Timeout or no response waiting for NATS JetStream server";

    private final Deque<String> failures = new ArrayDeque<>();
    private int requests;

    private void request() throws IOException {
        requests++;
        String failure = failures.poll();
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    @Test
    void aRequestWithoutAnAnswerIsSentAgain() throws Exception {
        failures.addAll(List.of(UNANSWERED, UNANSWERED));
        NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1))).run();
        assertThat(requests).isEqualTo(3);
    }

    @Test
    void aRefusalIsAnAnswer() {
        failures.add("it is one stream, and the workload asks for 3 partitions");
        assertThatThrownBy(() -> NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1)))
                        .run())
                .hasMessageStartingWith("it is one stream");
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void onceTheTimeIsUpNothingIsRepeated() {
        failures.add(UNANSWERED);
        assertThatThrownBy(() -> NatsCalls.repeated(this::request, Deadline.in(Duration.ZERO))
                        .run())
                .hasMessage(UNANSWERED);
        assertThat(requests).isEqualTo(1);
    }
}
