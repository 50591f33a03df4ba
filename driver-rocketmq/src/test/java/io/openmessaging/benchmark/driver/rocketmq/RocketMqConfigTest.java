package io.openmessaging.benchmark.driver.rocketmq;

import static io.openmessaging.benchmark.driver.rocketmq.TestConfigs.of;
import static io.openmessaging.benchmark.driver.rocketmq.TestConfigs.problemsOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.MessageType;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.RocketMqSharedClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RocketMqConfigTest {

    @Test
    void whatIsAbsentIsAsInRocketMq() {
        RocketMqConfig config = TestConfigs.config();
        assertThat(problemsOf(config)).isEmpty();
        assertThat(config.protocol()).isEqualTo(Protocol.REMOTING);
        assertThat(config.nameServers()).containsExactly("localhost:9876");
        assertThat(config.proxies()).containsExactly("localhost:8081");
        assertThat(config.maxMessageSize()).isEqualTo(4 * 1024 * 1024);
        assertThat(config.sendTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.compressMsgBodyOverHowmuch()).isEqualTo(4096);
        assertThat(config.backpressureConcurrency()).isEqualTo(1024);
        assertThat(config.pullBatchSize()).isEqualTo(32);
    }

    @ParameterizedTest
    @MethodSource
    void oneThingIsWrong(Map<String, Object> keys, String problem) {
        assertThat(problemsOf(of(keys))).containsExactly(problem);
    }

    static Stream<Arguments> oneThingIsWrong() {
        String addresses = ": must be host:port, several of them separated by semicolons: ";
        return Stream.of(
                Arguments.of(
                        Map.of("namesrvAddr", " ; "),
                        "namesrvAddr: must name at least one address, host:port, got ' ; '"),
                Arguments.of(
                        Map.of("namesrvAddr", "a:1;b"), "namesrvAddr" + addresses + "the port is missing, got 'b'"),
                Arguments.of(
                        Map.of("namesrvAddr", "http://a:1"),
                        "namesrvAddr" + addresses + "remove http:// from the start, got 'http://a:1'"),
                Arguments.of(
                        Map.of("proxyAddr", "a:70000"),
                        "proxyAddr" + addresses + "the port is not a number from 1 to 65535, got 'a:70000'"),
                Arguments.of(Map.of("clusterName", " "), "clusterName: must not be blank, got ' '"),
                Arguments.of(Map.of("accessKey", "u"), "secretKey: must also be set"),
                Arguments.of(Map.of("secretKey", "p"), "accessKey: must also be set"),
                Arguments.of(Map.of("maxMessageSize", 0), "maxMessageSize: must be at least 1, got 0"),
                Arguments.of(Map.of("sendTimeout", Duration.ZERO), "sendTimeout: must be from 1ms to 1h, got '0s'"),
                Arguments.of(
                        Map.of("retryTimesWhenSendAsyncFailed", -1),
                        "retryTimesWhenSendAsyncFailed: must be at least 0, got -1"),
                Arguments.of(
                        Map.of("compressMsgBodyOverHowmuch", -1),
                        "compressMsgBodyOverHowmuch: must be at least 0, got -1"),
                Arguments.of(
                        Map.of("backpressureConcurrency", 9), "backpressureConcurrency: must be at least 10, got 9"),
                Arguments.of(Map.of("maxOutstandingMessages", 0), "maxOutstandingMessages: must be at least 1, got 0"),
                Arguments.of(Map.of("maxOutstandingBytes", 0L), "maxOutstandingBytes: must be at least 1, got 0"),
                Arguments.of(Map.of("pullBatchSize", 1025), "pullBatchSize: must be a number from 1 to 1024, got 1025"),
                Arguments.of(
                        Map.of("awaitDuration", Duration.ofMinutes(2)),
                        "awaitDuration: must be from 1ms to 1m, got '2m'"),
                Arguments.of(
                        Map.of("consumeMessageBatchMaxSize", 0),
                        "consumeMessageBatchMaxSize: must be a number from 1 to 1024, got 0"),
                Arguments.of(
                        Map.of("pollNameServerInterval", Duration.ofMillis(99)),
                        "pollNameServerInterval: must be from 100ms to 10m, got '99ms'"),
                Arguments.of(
                        Map.of("heartbeatBrokerInterval", Duration.ofMinutes(2)),
                        "heartbeatBrokerInterval: must be from 100ms to 1m, got '2m'"),
                Arguments.of(
                        Map.of("tags", List.of("a", "b || c")),
                        "tags: must consist of letters, digits, '_' and '-', got 'b || c'"),
                Arguments.of(Map.of("transactions", 0), "transactions: must be a number from 1 to 1024, got 0"),
                Arguments.of(
                        Map.of("transactions", 8, "protocol", Protocol.GRPC),
                        "transactions: cannot be combined with protocol GRPC, got 8"),
                Arguments.of(
                        Map.of("transactions", 8, "autoBatch", true),
                        "transactions: cannot be combined with autoBatch, got 8"),
                Arguments.of(
                        Map.of("transactions", 8, "batchCQ", true),
                        "transactions: cannot be combined with batchCQ, got 8"),
                Arguments.of(
                        Map.of("transactions", 8, "sharedClients", new RocketMqSharedClients(4, 4)),
                        "transactions: cannot be combined with sharedClients, got 8"),
                Arguments.of(
                        Map.of("protocol", Protocol.GRPC, "sharedClients", new RocketMqSharedClients(4, 4)),
                        "sharedClients: is not allowed with protocol GRPC, got" + " {producers: 4, consumers: 4}"),
                Arguments.of(Map.of("batchMaxDelayMs", 0), "batchMaxDelayMs: must be a number from 1 to 30000, got 0"),
                Arguments.of(
                        Map.of("protocol", Protocol.GRPC, "autoBatch", true),
                        "autoBatch: is not allowed with protocol GRPC, got true"),
                Arguments.of(
                        Map.of("messageType", MessageType.NORMAL),
                        "messageType: is only allowed with protocol GRPC, got NORMAL"),
                Arguments.of(
                        Map.of("pushConsumer", true), "pushConsumer: is only allowed with protocol GRPC, got true"),
                Arguments.of(
                        Map.of("protocol", Protocol.GRPC, "pushConsumer", true),
                        "pushConsumer: needs messageType NORMAL, since it does not keep the order of FIFO messages,"
                                + " got true"));
    }

    @Test
    void severalServersMayBeSeparatedEitherWay() {
        RocketMqConfig config = of(Map.of("namesrvAddr", "a:1; b:2,c:3"));
        assertThat(problemsOf(config)).isEmpty();
        assertThat(config.nameServers()).containsExactly("a:1", "b:2", "c:3");
    }

    @Test
    void aRunIsPointedToTheServersThatWereStartedForIt() {
        RocketMQBenchmarkDriver driver = new RocketMQBenchmarkDriver();
        RocketMqConfig config = of(Map.of("pullBatchSize", 7));
        RocketMqConfig pointed =
                driver.withEndpoint(driver.withAddresses(config, List.of("a:1", "b:2")), "grpc", List.of("c:3"));
        assertThat(pointed).isEqualTo(of(Map.of("pullBatchSize", 7, "namesrvAddr", "a:1;b:2", "proxyAddr", "c:3")));
        assertThat(driver.withEndpoint(config, "http", List.of("c:3"))).isEqualTo(config);
    }
}
