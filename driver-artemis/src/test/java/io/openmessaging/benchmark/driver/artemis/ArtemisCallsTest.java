package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.junit.jupiter.api.Test;

class ArtemisCallsTest {

    @Test
    void theReasonIsThatOfArtemisHoweverDeepItIs() {
        ActiveMQSecurityException refusal = new ActiveMQSecurityException("no permission");
        assertThat(ArtemisCalls.reason(new IllegalStateException("wrapped", new RuntimeException(refusal))))
                .isEqualTo("no permission");
    }

    @Test
    void anErrorWithoutWordsIsCalledByItsName() {
        assertThat(ArtemisCalls.reason(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void anInterruptIsFoundHoweverDeepItIs() {
        ActiveMQInterruptedException inner = new ActiveMQInterruptedException(new InterruptedException());
        assertThatThrownBy(() -> ArtemisCalls.throwIfInterrupted(new IllegalStateException(inner)))
                .isInstanceOf(InterruptedException.class);
    }
}
