package io.openmessaging.benchmark.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.io.InputStream;
import java.util.Properties;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class KafkaLocalBrokerTest {

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(KafkaLocalBroker.class)
                .returns("kafka", LocalBroker::name)
                .returns(9092, LocalBroker::usualPort);
    }

    @Test
    void fetchesTheVersionItIsBuiltAgainst() throws Exception {
        Properties version = new Properties();
        try (InputStream stream =
                KafkaLocalBroker.class.getClassLoader().getResourceAsStream("kafka/kafka-version.properties")) {
            version.load(stream);
        }

        JarSet set = JarSet.ofResource(KafkaLocalBroker.class, "jars.pom.xml");

        assertThat(set.product()).isEqualTo("Apache Kafka");
        assertThat(set.version()).isEqualTo(version.getProperty("version"));
        assertThat(set.pom())
                .contains("<version>" + set.version() + "</version>")
                .doesNotContain("${");
    }
}
