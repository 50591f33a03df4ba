package io.openmessaging.benchmark.driver.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchException;

import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.NatsMessage;
import io.openmessaging.benchmark.driver.Deadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class NatsCallsTest {

    private static final String UNANSWERED = "Timeout or no response waiting for NATS JetStream server";

    private final Deque<Exception> failures = new ArrayDeque<>();
    private int requests;

    private void request() throws Exception {
        requests++;
        Exception failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    private static IOException unanswered() {
        return new IOException(UNANSWERED);
    }

    private static Exception refusal(int code, String description) {
        String json = "{\"error\":{\"code\":503,\"err_code\":" + code + ",\"description\":\"" + description + "\"}}";
        Message answer = NatsMessage.builder()
                .subject("answer")
                .data(json.getBytes(StandardCharsets.UTF_8))
                .build();
        return catchException(() -> new PublishAck(answer));
    }

    @Test
    void aRequestWithoutAnAnswerIsSentAgain() throws Exception {
        failures.addAll(List.of(unanswered(), unanswered()));
        NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1))).run();
        assertThat(requests).isEqualTo(3);
    }

    @Test
    void aRefusalIsAnAnswer() {
        failures.add(new IOException("it is one stream, and the workload asks for 3 partitions"));
        assertThatThrownBy(() -> NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1)))
                        .run())
                .hasMessageStartingWith("it is one stream");
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void aRefusalOfAClusterThatIsNotReadyYetIsNoFinalAnswer() throws Exception {
        failures.add(refusal(10_008, "JetStream system temporarily unavailable"));
        failures.add(refusal(10_005, "no suitable peers for placement, peer offline"));
        NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1))).run();
        assertThat(requests).isEqualTo(3);
    }

    @Test
    void aMessageThatTheStreamStillStoresGetsAnotherAnswerLater() {
        assertThat(NatsCalls.isTemporary(refusal(10_158, "duplicate message id is in process")))
                .isTrue();
        assertThat(NatsCalls.isTemporary(refusal(10_077, "maximum messages exceeded")))
                .isFalse();
    }

    @Test
    void aClusterWithTooFewServersRefusesForGood() {
        failures.add(refusal(10_005, "no suitable peers for placement, insufficient nodes"));
        assertThatThrownBy(() -> NatsCalls.repeated(this::request, Deadline.in(Duration.ofHours(1)))
                        .run())
                .hasMessageStartingWith("no suitable peers");
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void onceTheTimeIsUpNothingIsRepeated() {
        failures.add(unanswered());
        assertThatThrownBy(() -> NatsCalls.repeated(this::request, Deadline.in(Duration.ZERO))
                        .run())
                .hasMessage(UNANSWERED);
        assertThat(requests).isEqualTo(1);
    }
}
