package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.testkit.DriverConfigs;
import java.util.List;

/** Configurations to test with, written as in a driver file. */
final class TestConfigs {

    private TestConfigs() {}

    /** Binds the driver's part of a file strictly, and as for the rest with the defaults of the records. */
    static PulsarConfig of(String yaml) {
        return DriverConfigs.bind(PulsarConfig.class, yaml);
    }

    static PulsarConfig withLogin(PulsarConfig config, Login login) {
        ClientConfig client = config.client();
        return config.withClient(new ClientConfig(
                client.serviceUrl(),
                client.httpUrl(),
                client.ioThreads(),
                client.connectionsPerBroker(),
                client.clusterName(),
                client.namespacePrefix(),
                client.topicType(),
                client.persistence(),
                client.memoryLimitMb(),
                client.tlsAllowInsecureConnection(),
                client.tlsEnableHostnameVerification(),
                client.tlsTrustCertsFilePath(),
                login));
    }

    /** What is wrong with a configuration, in sentences. */
    static List<String> problemsOf(PulsarConfig config) {
        return DriverConfigs.problemsOf(config);
    }
}
