package io.openmessaging.benchmark.broker.pulsar;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.launch.Credentials;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Additional configuration of a broker with TLS or a login. With both, a client's certificate also counts as a login.
 * The broker logs in to itself, with a token that readiness checks use as well. Tokens are signed with the password,
 * which is long enough for that.
 */
record SecuredConf(Credentials credentials) {

    private static final String TOKENS = "org.apache.pulsar.client.impl.auth.AuthenticationToken";
    private static final String PROVIDERS = "org.apache.pulsar.broker.authentication.AuthenticationProvider";
    private static final String SIGNATURE = "HmacSHA256";

    /** Moves the ports to TLS and makes every client log in, as far as requested. */
    void addTo(Map<String, Object> conf) {
        if (credentials.tls()) {
            conf.put("brokerServicePortTls", conf.getOrDefault(StandaloneConf.CLIENT_PORT, ""));
            conf.put("webServicePortTls", conf.getOrDefault(StandaloneConf.HTTP_PORT, ""));
            conf.put(StandaloneConf.CLIENT_PORT, "");
            conf.put(StandaloneConf.HTTP_PORT, "");
            conf.put("tlsCertificateFilePath", credentials.brokerCertificate());
            conf.put("tlsKeyFilePath", credentials.brokerKey());
            conf.put("tlsTrustCertsFilePath", credentials.trustedCertificates());
            conf.put("brokerClientTlsEnabled", true);
            conf.put("brokerClientTrustCertsFilePath", credentials.trustedCertificates());
        }
        if (credentials.login()) {
            conf.put("authenticationEnabled", true);
            conf.put(
                    "authenticationProviders",
                    PROVIDERS + "Token" + (credentials.tls() ? "," + PROVIDERS + "Tls" : ""));
            conf.put("tokenSecretKey", "data:;base64," + Base64.getEncoder().encodeToString(key()));
            conf.put("superUserRoles", Credentials.USER);
            conf.put("brokerClientAuthenticationPlugin", TOKENS);
            conf.putAll(login());
        }
    }

    /** Returns the entry by which the broker logs in to itself; empty without a login. */
    Map<String, String> login() {
        return credentials.login() ? Map.of(PulsarLocalBroker.OWN_LOGIN, PulsarLocalBroker.TOKEN + token()) : Map.of();
    }

    private byte[] key() {
        return credentials.password().getBytes(StandardCharsets.US_ASCII);
    }

    private String token() {
        String content = base64("{\"alg\":\"HS256\"}") + "." + base64("{\"sub\":\"" + Credentials.USER + "\"}");
        try {
            Mac mac = Mac.getInstance(SIGNATURE);
            mac.init(new SecretKeySpec(key(), SIGNATURE));
            byte[] signature = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
            return content + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the driver file, see {@link io.openmessaging.benchmark.broker.RunningBroker#driverFile}. */
    String driverFile(String client, String http) throws LocalBrokerException {
        String file = """
                name: Pulsar, secured
                driverClass: io.openmessaging.benchmark.driver.pulsar.PulsarBenchmarkDriver
                client:
                  serviceUrl: %s://%s
                  httpUrl: %s://%s
                  persistence:
                    adjustToBookies: true
                """.formatted(
                credentials.tls() ? "pulsar+ssl" : "pulsar", client, credentials.tls() ? "https" : "http", http);
        if (credentials.tls()) {
            file += "  tlsTrustCertsFilePath: " + credentials.trustedCertificates()
                    + "\n  tlsEnableHostnameVerification: true\n";
        }
        if (credentials.login()) {
            file += "  authentication:\n    plugin: " + TOKENS + "\n    data: token:"
                    + credentials.keep("token", token()) + "\n";
        }
        return file;
    }
}
