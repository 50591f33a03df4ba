package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.util.ServiceLoader;
import org.apache.pulsar.PulsarVersion;
import org.junit.jupiter.api.Test;

class PulsarLocalBrokerTest {

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(PulsarLocalBroker.class)
                .returns("pulsar", LocalBroker::name)
                .returns(6650, LocalBroker::usualPort);
    }

    @Test
    void fetchesTheVersionThatIsTestedHere() {
        JarSet set = JarSet.ofResource(PulsarLocalBroker.class, "jars.pom.xml");

        assertThat(set.product()).isEqualTo("Apache Pulsar");
        assertThat(set.version()).isEqualTo(PulsarVersion.getVersion());
        assertThat(set.pom())
                .contains("<version>" + set.version() + "</version>")
                .doesNotContain("${");
    }
}
