package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.Test;

class AnswersTest {

    @Test
    void theReasonOfABrokerIsFoundAmidTheRest() {
        assertThat(Answers.reason(new PulsarClientException(
                        "{\"errorMsg\":\"Exclusive consumer is already connected\",\"reqId\":7, \"remote\":\"a:1\"}")))
                .isEqualTo("Exclusive consumer is already connected");
    }

    @Test
    void namesOfExceptionsAndLinesAreTakenAway() {
        assertThat(Answers.reason(new IllegalStateException("org.acme.SomeException: a.b$CError: no\n way")))
                .isEqualTo("no way");
        assertThat(Answers.reason(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void theReasonOfTheAdministrationIsTheBodyOfItsAnswer() {
        assertThat(Answers.reason(
                        new PulsarAdminException(new IllegalStateException("HTTP 412"), "Clusters do not exist", 412)))
                .isEqualTo("Clusters do not exist");
    }

    @Test
    void theCauseIsTheClientsOwnError() {
        PulsarClientException error = new PulsarClientException("refused");
        assertThatThrownBy(() -> Answers.await(
                        CompletableFuture.failedFuture(new CompletionException(error)),
                        Deadline.in(Duration.ofSeconds(1)),
                        "do it"))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not do it: refused")
                .hasCause(error);
    }

    @Test
    void noAnswerIsASentenceThatSaysHowLongItWasWaitedFor() {
        assertThatThrownBy(() -> Answers.await(new CompletableFuture<>(), Deadline.in(Duration.ofMillis(20)), "do it"))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not do it: no answer within 20 ms");
    }

    @Test
    void onlyTheExpectedErrorStandsForNothing() throws Exception {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("gone"));
        assertThat(Answers.unless(IllegalStateException.class, failed).get()).isNull();
        assertThat(Answers.unless(IllegalArgumentException.class, failed)).isCompletedExceptionally();
        assertThat(Answers.unless(IllegalStateException.class, CompletableFuture.completedFuture("there"))
                        .get())
                .isEqualTo("there");
    }
}
