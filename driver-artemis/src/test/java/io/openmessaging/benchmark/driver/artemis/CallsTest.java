package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.junit.jupiter.api.Test;

class CallsTest {

    @Test
    void anErrorBecomesASentenceWithTheReason() {
        ActiveMQSecurityException refusal = new ActiveMQSecurityException("no permission");

        assertThatThrownBy(() -> Calls.run("send", () -> {
                    throw new IllegalStateException("wrapped", new RuntimeException(refusal));
                }))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not send: no permission")
                .hasRootCause(refusal);
    }

    @Test
    void anErrorWithoutWordsIsCalledByItsName() {
        assertThat(Calls.reason(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void aSentenceIsLeftAsItIs() {
        DriverException sentence = new DriverException("Could not do it: no");

        assertThatThrownBy(() -> Calls.run("do more", () -> {
                    throw sentence;
                }))
                .isSameAs(sentence);
    }

    @Test
    void anInterruptIsFoundHoweverDeepItIs() {
        ActiveMQInterruptedException inner = new ActiveMQInterruptedException(new InterruptedException());

        assertThatThrownBy(() -> Calls.run("send", () -> {
                    throw new IllegalStateException(inner);
                }))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void nothingIsCalledAfterTheDeadline() {
        assertThatThrownBy(() -> Calls.run("create the topic 't'", Deadline.in(Duration.ZERO), () -> {
                    throw new AssertionError("called");
                }))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not create the topic 't': 0 ms are over");
    }
}
