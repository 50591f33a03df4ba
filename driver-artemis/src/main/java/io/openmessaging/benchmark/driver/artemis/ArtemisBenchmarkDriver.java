package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.artemis.address.BrokerAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.utils.VersionLoader;
import org.apache.qpid.jms.util.MetaDataSupport;

/** Driver for Apache Artemis, over the core protocol or AMQP. */
public final class ArtemisBenchmarkDriver implements BenchmarkDriver<ArtemisConfig> {

    @Override
    public Class<ArtemisConfig> configType() {
        return ArtemisConfig.class;
    }

    @Override
    public List<String> addresses(ArtemisConfig config) {
        return BrokerAddress.parse(config.brokerAddress()).hostsAndPorts();
    }

    @Override
    public ArtemisConfig withAddresses(ArtemisConfig config, List<String> addresses) {
        String changed =
                BrokerAddress.parse(config.brokerAddress()).with(addresses).text();
        return ConfigRecords.with(config, Map.of("brokerAddress", changed));
    }

    @Override
    public Optional<NodeNeeds> nodeNeeds(ArtemisConfig config) {
        return Optional.of(new NodeNeeds(addresses(config).size(), "brokerAddress"));
    }

    @Override
    public List<String> localBrokers() {
        return List.of("artemis");
    }

    @Override
    public List<String> existingTopics(ArtemisConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(ArtemisConfig config) {
        return Optional.of("the timestamp of messages that have one (by the producer's clock)");
    }

    @Override
    public boolean carriesHeaders(ArtemisConfig config) {
        return true;
    }

    @Override
    public String clientVersion() {
        return "artemis-core-client and artemis-jakarta-client "
                + VersionLoader.getVersion().getFullVersion() + ", qpid-jms-client "
                + MetaDataSupport.PROVIDER_VERSION;
    }

    @Override
    public DriverConnection connect(ArtemisConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return ArtemisConnection.open(config, context);
    }
}
