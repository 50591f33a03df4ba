package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.rabbitmq.RabbitMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.rabbitmq.config.RabbitMqConfig;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class SecurityIT extends SecurityContractTest<RabbitMqConfig> {

    @Override
    protected BenchmarkDriver<RabbitMqConfig> driver() {
        return new RabbitMqBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new RabbitMqLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "rabbitmq.yaml";
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        return tls ? "the connection is lost" : "ACCESS_REFUSED";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "ACCESS_REFUSED";
    }

    /**
     * Queues and streams use different protocols; with both a certificate and a login, a certificate can serve as the
     * login.
     */
    @Override
    protected List<String> variants(String driverFile) {
        List<String> logins = new ArrayList<>(List.of(driverFile));
        if (driverFile.contains("tls:") && driverFile.contains("benchmark:")) {
            logins.add(withCertificate(driverFile));
        }
        return logins.stream()
                .flatMap(file -> Stream.of("QUORUM", "CLASSIC", "STREAM")
                        .map(type -> file.replace("queueType: QUORUM", "queueType: " + type)))
                .toList();
    }

    private static String withCertificate(String driverFile) {
        String stores = driverFile
                .lines()
                .filter(line -> line.contains("trustStore"))
                .map(line -> line.replace("trustStore", "keyStore").replace("trusted.p12", "client.p12") + "\n")
                .collect(Collectors.joining());
        return driverFile.replaceAll("//benchmark:[^@]*@", "//") + stores + "  login: true\n";
    }
}
