package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.Test;

class PulsarCallsTest {

    @Test
    void theReasonOfABrokerIsFoundAmidTheRest() {
        assertThat(PulsarCalls.reason(new PulsarClientException(
                        "{\"errorMsg\":\"Exclusive consumer is already connected\",\"reqId\":7, \"remote\":\"a:1\"}")))
                .isEqualTo("Exclusive consumer is already connected");
    }

    @Test
    void namesOfExceptionsAndLinesAreTakenAway() {
        assertThat(PulsarCalls.reason(new IllegalStateException("org.acme.SomeException: a.b$CError: no\n way")))
                .isEqualTo("no way");
        assertThat(PulsarCalls.reason(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void theReasonOfTheAdministrationIsTheBodyOfItsAnswer() {
        assertThat(PulsarCalls.reason(
                        new PulsarAdminException(new IllegalStateException("HTTP 412"), "Clusters do not exist", 412)))
                .isEqualTo("Clusters do not exist");
    }

    @Test
    void onlyTheExpectedErrorStandsForNothing() throws Exception {
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("gone"));
        assertThat(PulsarCalls.unless(IllegalStateException.class, failed).get())
                .isNull();
        assertThat(PulsarCalls.unless(IllegalArgumentException.class, failed)).isCompletedExceptionally();
        assertThat(PulsarCalls.unless(IllegalStateException.class, CompletableFuture.completedFuture("there"))
                        .get())
                .isEqualTo("there");
    }
}
