package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.pulsar.PulsarLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class SecurityIT extends SecurityContractTest<PulsarConfig> {

    @Override
    protected BenchmarkDriver<PulsarConfig> driver() {
        return new PulsarBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new PulsarLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "pulsar.yaml";
    }

    /** Pulsar closes the connection of a client without TLS, which then retries silently until its call times out. */
    @Override
    protected Duration limitOfUnsecured(boolean tls) {
        return tls ? Duration.ofSeconds(8) : Patience.LIMIT;
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        return tls ? "no answer within" : "Failed to authenticate";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "Failed to authenticate";
    }

    /** With both certificates and a login, a certificate can serve as the login. */
    @Override
    protected List<String> variants(String driverFile) {
        Matcher trusted =
                Pattern.compile("tlsTrustCertsFilePath: (\\S+)/trusted.crt").matcher(driverFile);
        if (!trusted.find() || !driverFile.contains("plugin:")) {
            return List.of(driverFile);
        }
        String folder = trusted.group(1);
        String withCertificate = driverFile
                .replace("AuthenticationToken", "AuthenticationTls")
                .replaceAll(
                        "data: .*", "data: tlsCertFile:" + folder + "/client.crt,tlsKeyFile:" + folder + "/client.key");
        return List.of(driverFile, withCertificate);
    }
}
