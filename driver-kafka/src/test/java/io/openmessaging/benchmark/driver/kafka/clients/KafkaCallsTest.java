package io.openmessaging.benchmark.driver.kafka.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class KafkaCallsTest {

    @Test
    void aRefusedCertificateIsSaidToBeTheReason() {
        SSLHandshakeException handshake = new SSLHandshakeException("PKIX path building failed: …");
        handshake.initCause(new CertPathBuilderException("unable to find valid certification path"));

        assertThat(KafkaCalls.reason(new SslAuthenticationException("SSL handshake failed", handshake)))
                .isEqualTo("SSL handshake failed: unable to find valid certification path");
    }

    @Test
    void aCauseIsSaidOnceHoweverOftenItIsWrapped() {
        KafkaException load = new KafkaException("Failed to load trust.p12", new IOException("wrong password"));
        KafkaException client = new KafkaException("Failed to create the client", new KafkaException(load));

        assertThat(KafkaCalls.reason(client))
                .isEqualTo("Failed to create the client: Failed to load trust.p12: wrong password");
    }

    @Test
    void anErrorThatSaysWhatIsWrongKeepsItsWords() {
        assertThat(KafkaCalls.reason(new SaslAuthenticationException("invalid credentials", new IOException("x"))))
                .isEqualTo("invalid credentials");
        assertThat(KafkaCalls.reason(new TimeoutException("node assignment")))
                .isEqualTo("no answer in time (node assignment)");
    }
}
