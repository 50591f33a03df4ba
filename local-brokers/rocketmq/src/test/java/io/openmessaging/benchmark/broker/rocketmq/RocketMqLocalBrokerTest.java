package io.openmessaging.benchmark.broker.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import org.apache.rocketmq.broker.BrokerStartup;
import org.junit.jupiter.api.Test;

class RocketMqLocalBrokerTest {

    private static final ServerPorts PORTS = new ServerPorts(ListenAddress.LOOPBACK, 9876, 10911, 8081);

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(RocketMqLocalBroker.class)
                .returns("rocketmq", LocalBroker::name)
                .returns(9876, LocalBroker::usualPort);
    }

    @Test
    void fetchesTheVersionItIsBuiltAgainst() throws Exception {
        Properties built = new Properties();
        try (InputStream stream = BrokerStartup.class
                .getClassLoader()
                .getResourceAsStream("META-INF/maven/org.apache.rocketmq/rocketmq-broker/pom.properties")) {
            built.load(stream);
        }

        JarSet set = JarSet.ofResource(RocketMqLocalBroker.class, "jars.pom.xml");

        assertThat(set.product()).isEqualTo("Apache RocketMQ");
        assertThat(set.version()).isEqualTo(built.getProperty("version"));
        assertThat(set.pom()).doesNotContain("${");
    }

    @Test
    void everyAddressIsOnLoopback() {
        assertThat(RocketMqLocalBroker.brokerConfig(PORTS, Path.of("/data"), Map.of()))
                .containsEntry("namesrvAddr", "127.0.0.1:9876")
                .containsEntry("bindAddress", "127.0.0.1")
                .containsEntry("brokerIP1", "127.0.0.1")
                .containsEntry("brokerIP2", "127.0.0.1")
                .containsEntry("listenPort", 10911)
                .containsEntry("storePathRootDir", Path.of("/data"));
    }

    @Test
    void clientsFindEverythingAtAnotherAddress() {
        ServerPorts ports = new ServerPorts(new ListenAddress("192.0.2.1"), 9876, 10911, 8081);

        assertThat(ports.nameServerAddress()).isEqualTo("192.0.2.1:9876");
        assertThat(ports.grpcAddress()).isEqualTo("192.0.2.1:8081");
        assertThat(RocketMqLocalBroker.brokerConfig(ports, Path.of("/data"), Map.of()))
                .containsEntry("namesrvAddr", "192.0.2.1:9876")
                .containsEntry("bindAddress", "192.0.2.1")
                .containsEntry("brokerIP1", "192.0.2.1")
                .containsEntry("brokerIP2", "127.0.0.1");
    }

    @Test
    void settingsOverrideOurs() {
        assertThat(RocketMqLocalBroker.brokerConfig(
                        PORTS,
                        Path.of("/data"),
                        Map.of("sendMessageThreadPoolNums", "4", "flushDiskType", "SYNC_FLUSH")))
                .containsEntry("sendMessageThreadPoolNums", "4")
                .containsEntry("flushDiskType", "SYNC_FLUSH")
                .containsEntry("autoCreateTopicEnable", false);
    }
}
