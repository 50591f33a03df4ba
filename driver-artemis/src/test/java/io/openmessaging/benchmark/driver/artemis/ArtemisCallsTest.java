package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Outstanding;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
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
    void theEndOfASessionAnswersWhatTheBrokerHasNotAnsweredInTime() throws Exception {
        Outstanding outstanding = new Outstanding();
        outstanding.sent();
        ArtemisCalls.closeAfterAnswers(
                outstanding, Duration.ofMillis(10), limit -> outstanding.answered(), Patience.LIMIT);
        assertThat(outstanding.count()).isZero();
    }

    @Test
    void anAnswerThatNeverComesIsSaid() {
        Outstanding outstanding = new Outstanding();
        outstanding.sent();
        assertThatThrownBy(() -> ArtemisCalls.closeAfterAnswers(
                        outstanding, Duration.ofMillis(10), limit -> {}, Duration.ofMillis(20)))
                .isInstanceOf(DriverException.class)
                .hasMessage("Waited 20 ms after the end of a session for 1 answers from the client");
    }

    @Test
    void anInterruptIsFoundHoweverDeepItIs() {
        ActiveMQInterruptedException inner = new ActiveMQInterruptedException(new InterruptedException());
        assertThatThrownBy(() -> ArtemisCalls.throwIfInterrupted(new IllegalStateException(inner)))
                .isInstanceOf(InterruptedException.class);
    }
}
