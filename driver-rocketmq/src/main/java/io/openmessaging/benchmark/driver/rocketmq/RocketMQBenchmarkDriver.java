package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.client.ClientRelease;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.rocketmq.client.java.misc.MetadataUtils;
import org.apache.rocketmq.common.MQVersion;

/** Driver for Apache RocketMQ. */
public final class RocketMQBenchmarkDriver implements BenchmarkDriver<RocketMqConfig> {

    /** The local broker's name for the endpoint of its gRPC proxy. */
    private static final String GRPC = "grpc";

    @Override
    public Class<RocketMqConfig> configType() {
        return RocketMqConfig.class;
    }

    /** Returns the addresses of the name servers; a proxy is contacted when its first client starts. */
    @Override
    public List<String> addresses(RocketMqConfig config) {
        return config.nameServers();
    }

    @Override
    public RocketMqConfig withAddresses(RocketMqConfig config, List<String> addresses) {
        return ConfigRecords.with(config, Map.of("namesrvAddr", String.join(";", addresses)));
    }

    @Override
    public RocketMqConfig withEndpoint(RocketMqConfig config, String name, List<String> addresses) {
        return name.equals(GRPC)
                ? ConfigRecords.with(config, Map.of("proxyAddr", String.join(";", addresses)))
                : config;
    }

    @Override
    public List<String> localBrokers() {
        return List.of("rocketmq");
    }

    @Override
    public List<String> existingTopics(RocketMqConfig config) {
        return config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(RocketMqConfig config) {
        return Optional.of("the born timestamp (by the producer's clock)");
    }

    @Override
    public boolean carriesHeaders(RocketMqConfig config) {
        return true;
    }

    @Override
    public Optional<ProcessNeeds> processNeeds(
            RocketMqConfig config, int producers, int consumers, boolean consumersBlock) {
        return Optional.of(RocketMqClientNeeds.of(config, producers, consumers));
    }

    @Override
    public String clientVersion() {
        String remoting =
                MQVersion.getVersionDesc(MQVersion.CURRENT_VERSION).substring(1).replace('_', '.');
        return "rocketmq-client " + remoting + ", rocketmq-client-java " + MetadataUtils.getVersion();
    }

    @Override
    public DriverConnection connect(RocketMqConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        ClientRelease release = new ClientRelease(context.events());
        Cluster cluster = Cluster.of(config, context.timeout());
        try {
            cluster.find(deadline);
            cluster.checkExpectations(deadline);
            return config.protocol() == Protocol.GRPC
                    ? new GrpcConnection(config, context, cluster, release)
                    : new RemotingConnection(config, context, cluster, release);
        } catch (Throwable e) {
            release.begin("admin", cluster::close);
            throw e;
        }
    }
}
