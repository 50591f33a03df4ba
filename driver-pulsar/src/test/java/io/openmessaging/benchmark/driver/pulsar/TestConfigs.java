package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Configurations to test with, written as in a driver file. */
final class TestConfigs {

    private static final YAMLMapper STRICT = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private TestConfigs() {}

    /** Binds the driver's part of a file strictly, and as for the rest with the defaults of the records. */
    static PulsarConfig of(String yaml) {
        return yaml.isBlank() ? new PulsarConfig(null, null, null) : STRICT.readValue(yaml, PulsarConfig.class);
    }

    /** The same from keys that are read already. */
    static PulsarConfig of(Map<String, Object> keys) {
        return STRICT.convertValue(keys, PulsarConfig.class);
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

    /** What is wrong with a configuration, in sentences, as the framework asks each of its records. */
    static List<String> problemsOf(PulsarConfig config) {
        List<String> sentences = new ArrayList<>();
        Problems problems = new Problems();
        check(config, problems);
        problems.found().forEach(problem -> sentences.add(problem.toString()));
        return sentences;
    }

    private static void check(Record config, Problems problems) {
        if (config instanceof Checked checked) {
            checked.check(problems);
        }
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            try {
                Object part = component.getAccessor().invoke(config);
                if (part instanceof Record nested) {
                    check(nested, problems.below(component.getName()));
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
