package io.openmessaging.benchmark.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.util.ServiceLoader;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.junit.jupiter.api.Test;

class ArtemisLocalBrokerTest {

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(ArtemisLocalBroker.class)
                .returns("artemis", LocalBroker::name)
                .returns(61616, LocalBroker::usualPort);
    }

    @Test
    void fetchesTheVersionItIsBuiltAgainst() {
        JarSet set = JarSet.ofResource(ArtemisLocalBroker.class, "jars.pom.xml");

        assertThat(set.product()).isEqualTo("Apache Artemis");
        assertThat(set.version()).isEqualTo(VersionLoader.getVersion().getFullVersion());
        assertThat(set.pom())
                .contains("<version>" + set.version() + "</version>")
                .doesNotContain("${");
    }
}
