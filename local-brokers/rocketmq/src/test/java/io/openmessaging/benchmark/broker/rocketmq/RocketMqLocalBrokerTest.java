package io.openmessaging.benchmark.broker.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import org.apache.rocketmq.broker.BrokerStartup;
import org.junit.jupiter.api.Test;

class RocketMqLocalBrokerTest {

    private static final ServerPorts PORTS = ports(ListenAddress.LOOPBACK);

    private static ServerPorts ports(ListenAddress address) {
        return new ServerPorts(
                address,
                9876,
                8081,
                9878,
                List.of(new ServerPorts.BrokerPorts(10911, 10912), new ServerPorts.BrokerPorts(10921, 10922)));
    }

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
        assertThat(ServerSettings.broker(PORTS, Path.of("/data"), Map.of()))
                .containsEntry("namesrvAddr", "127.0.0.1:9876")
                .containsEntry("bindAddress", "127.0.0.1")
                .containsEntry("brokerIP1", "127.0.0.1")
                .containsEntry("brokerIP2", "127.0.0.1")
                .containsEntry("listenPort", 10911)
                .containsEntry("storePathRootDir", Path.of("/data"));
    }

    @Test
    void clientsFindEverythingAtAnotherAddress() {
        ServerPorts ports = ports(new ListenAddress("192.0.2.1"));

        assertThat(ports.nameServerAddress()).isEqualTo("192.0.2.1:9876");
        assertThat(ports.grpcAddress()).isEqualTo("192.0.2.1:8081");
        assertThat(ServerSettings.broker(ports, Path.of("/data"), Map.of()))
                .containsEntry("namesrvAddr", "192.0.2.1:9876")
                .containsEntry("bindAddress", "192.0.2.1")
                .containsEntry("brokerIP1", "192.0.2.1")
                .containsEntry("brokerIP2", "127.0.0.1");
    }

    @Test
    void settingsOverrideOurs() {
        assertThat(ServerSettings.broker(
                        PORTS,
                        Path.of("/data"),
                        Map.of("sendMessageThreadPoolNums", "4", "flushDiskType", "SYNC_FLUSH")))
                .containsEntry("sendMessageThreadPoolNums", "4")
                .containsEntry("flushDiskType", "SYNC_FLUSH")
                .containsEntry("autoCreateTopicEnable", false);
    }

    @Test
    void replicasAskTheControllerWhoTheyAre() {
        ServerPorts ports = ports(new ListenAddress("192.0.2.1"));

        assertThat(ServerSettings.controller(ports, Path.of("/data")))
                .containsEntry("bindAddress", "192.0.2.1")
                .containsEntry("enableControllerInNamesrv", true)
                .containsEntry("controllerDLegerPeers", "n0-192.0.2.1:9878");
        assertThat(ServerSettings.replica(
                        ports, ports.brokers().get(1), Path.of("/data"), Map.of("minInSyncReplicas", "3")))
                .containsEntry("listenPort", 10921)
                .containsEntry("haListenPort", 10922)
                .containsEntry("brokerIP2", "127.0.0.1")
                .containsEntry("controllerAddr", "192.0.2.1:9878")
                .containsEntry("allAckInSyncStateSet", true)
                .containsEntry("minInSyncReplicas", "3");
    }
}
