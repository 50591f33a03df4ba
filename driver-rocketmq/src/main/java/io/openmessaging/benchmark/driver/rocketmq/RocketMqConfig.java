package io.openmessaging.benchmark.driver.rocketmq;

import static java.util.Objects.requireNonNullElse;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.rocketmq.remoting.protocol.SerializeType;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RocketMQ driver file. Where a default is said to be RocketMQ's, it is that of its Java client 5.5.0.
 *
 * @param protocol {@link Protocol#REMOTING} unless given
 * @param namesrvAddr the name servers, {@code host:port}, several of them separated by semicolons; {@code
 *     localhost:9876} unless given
 * @param proxyAddr with gRPC: the proxies, in the same form; {@code localhost:8081} unless given
 * @param clusterName the cluster whose brokers get the topics; null for the only one that the name servers know
 * @param vipChannelEnabled whether requests go to the broker's second port; false unless given, as in RocketMQ
 * @param accessKey the user's name, where brokers ask for one; null for none
 * @param secretKey the user's password
 * @param batchCQ whether topics keep batches as they were sent: queues of the type {@code BatchCQ}
 * @param flushDiskType what the brokers have to be set to, or the run does not start; null for either
 * @param brokerRole what the brokers have to be set to, or the run does not start; null for either
 * @param maxMessageSize the largest message that a remoting producer takes, in bytes; 4 MiB unless given, as in RocketMQ
 * @param sendTimeout how long a message may be under way; 3 s unless given, as in RocketMQ
 * @param retryTimesWhenSendAsyncFailed how often a client sends a message again that got no answer; 2 unless given, as
 *     in RocketMQ
 * @param compressMsgBodyOverHowmuch the size from which a remoting producer compresses messages, in bytes; 4096 unless
 *     given, as in RocketMQ
 * @param serializeType how remoting producers and consumers write the headers of their requests; {@link
 *     SerializeType#JSON} unless given, as in RocketMQ
 * @param autoBatch whether a remoting producer gathers messages into batches by itself
 * @param enableBackpressure whether a remoting producer waits while too much is under way
 * @param backpressureConcurrency how many messages are too many; 1024 unless given, as in RocketMQ; at least 10
 * @param senderPool whether messages go through the remoting producer's own thread pool, where they overtake each other,
 *     as they do unless an application prevents it; otherwise the sending thread hands them to the connection
 * @param maxOutstandingMessages how many messages all producers of a worker together may have under way, after which
 *     sending waits; 50,000 unless given
 * @param maxOutstandingBytes how many bytes; 256 MiB unless given
 * @param pullBatchSize how many messages a consumer asks for at a time; 32 unless given, as in RocketMQ, whose brokers
 *     by default do not give more
 * @param awaitDuration how long a proxy keeps a gRPC consumer's request while there are no messages; 5 s unless given,
 *     which is the least that proxies accept by default
 * @param consumeMessageBatchMaxSize how many of them a remoting consumer hands over at a time, 32 unless given
 */
public record RocketMqConfig(
        Protocol protocol,
        String namesrvAddr,
        String proxyAddr,
        @Nullable String clusterName,
        boolean vipChannelEnabled,
        @Nullable String accessKey,
        @Nullable String secretKey,
        boolean batchCQ,
        @Nullable FlushDiskType flushDiskType,
        @Nullable BrokerRole brokerRole,
        Integer maxMessageSize,
        Duration sendTimeout,
        Integer retryTimesWhenSendAsyncFailed,
        Integer compressMsgBodyOverHowmuch,
        SerializeType serializeType,
        boolean autoBatch,
        boolean enableBackpressure,
        Integer backpressureConcurrency,
        boolean senderPool,
        Integer maxOutstandingMessages,
        Long maxOutstandingBytes,
        Integer pullBatchSize,
        Duration awaitDuration,
        Integer consumeMessageBatchMaxSize)
        implements Checked {

    /** When a broker confirms a message. */
    public enum FlushDiskType {
        /** Once it is in memory. */
        ASYNC_FLUSH,
        /** Once it is on disk. */
        SYNC_FLUSH
    }

    /** What a master does about its replicas. */
    public enum BrokerRole {
        /** Confirms a message before they have it. */
        ASYNC_MASTER,
        /** Confirms a message once they have it. */
        SYNC_MASTER
    }

    private static final int MIB = 1024 * 1024;
    private static final int SMALLEST_BACKPRESSURE = 10;
    private static final int LARGEST_BATCH = 1024;
    private static final Duration LONGEST_SEND = Duration.ofHours(1);
    private static final Duration LONGEST_AWAIT = Duration.ofMinutes(1);

    private static final Pattern ADDRESS = Pattern.compile("[^\\s;,:]+:(\\d{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    /** Puts the defaults in. */
    public RocketMqConfig {
        protocol = requireNonNullElse(protocol, Protocol.REMOTING);
        namesrvAddr = requireNonNullElse(namesrvAddr, "localhost:9876");
        proxyAddr = requireNonNullElse(proxyAddr, "localhost:8081");
        maxMessageSize = requireNonNullElse(maxMessageSize, 4 * MIB);
        sendTimeout = requireNonNullElse(sendTimeout, Duration.ofSeconds(3));
        retryTimesWhenSendAsyncFailed = requireNonNullElse(retryTimesWhenSendAsyncFailed, 2);
        compressMsgBodyOverHowmuch = requireNonNullElse(compressMsgBodyOverHowmuch, 4096);
        serializeType = requireNonNullElse(serializeType, SerializeType.JSON);
        backpressureConcurrency = requireNonNullElse(backpressureConcurrency, 1024);
        maxOutstandingMessages = requireNonNullElse(maxOutstandingMessages, 50_000);
        maxOutstandingBytes = requireNonNullElse(maxOutstandingBytes, 256L * MIB);
        pullBatchSize = requireNonNullElse(pullBatchSize, 32);
        awaitDuration = requireNonNullElse(awaitDuration, Duration.ofSeconds(5));
        consumeMessageBatchMaxSize = requireNonNullElse(consumeMessageBatchMaxSize, 32);
    }

    @Override
    public void check(Problems problems) {
        checkAddresses(problems, "namesrvAddr", namesrvAddr);
        checkAddresses(problems, "proxyAddr", proxyAddr);
        problems.require(
                clusterName == null || !clusterName.isBlank(), "clusterName", "must not be blank", clusterName);
        problems.require(
                (accessKey == null) == (secretKey == null),
                secretKey == null ? "secretKey" : "accessKey",
                "must be given, too",
                null);
        checkProducer(problems);
        checkConsumer(problems);
        checkGrpc(problems);
    }

    private static void checkAddresses(Problems problems, String key, String value) {
        List<String> addresses = split(value);
        problems.require(!addresses.isEmpty(), key, "must name at least one address, host:port", value);
        for (String address : addresses) {
            var matcher = ADDRESS.matcher(address);
            boolean holds = matcher.matches() && Integer.parseInt(matcher.group(1)) <= HIGHEST_PORT;
            problems.require(holds, key, "must be host:port, several of them separated by semicolons", address);
        }
    }

    private void checkProducer(Problems problems) {
        problems.atLeast(1, "maxMessageSize", maxMessageSize);
        within(problems, "sendTimeout", sendTimeout, LONGEST_SEND);
        problems.atLeast(0, "retryTimesWhenSendAsyncFailed", retryTimesWhenSendAsyncFailed);
        problems.atLeast(0, "compressMsgBodyOverHowmuch", compressMsgBodyOverHowmuch);
        problems.atLeast(SMALLEST_BACKPRESSURE, "backpressureConcurrency", backpressureConcurrency);
        problems.atLeast(1, "maxOutstandingMessages", maxOutstandingMessages);
        problems.atLeast(1, "maxOutstandingBytes", maxOutstandingBytes);
    }

    private void checkConsumer(Problems problems) {
        problems.within(1, LARGEST_BATCH, "pullBatchSize", pullBatchSize);
        within(problems, "awaitDuration", awaitDuration, LONGEST_AWAIT);
        problems.within(1, LARGEST_BATCH, "consumeMessageBatchMaxSize", consumeMessageBatchMaxSize);
    }

    private void checkGrpc(Problems problems) {
        if (protocol != Protocol.GRPC) {
            return;
        }
        problems.require(!batchCQ, "batchCQ", "is not offered with protocol GRPC", batchCQ);
        problems.require(!autoBatch, "autoBatch", "is not offered with protocol GRPC", autoBatch);
        problems.require(!senderPool, "senderPool", "is not offered with protocol GRPC", senderPool);
    }

    private static void within(Problems problems, String key, Duration value, Duration longest) {
        problems.require(
                value.toMillis() >= 1 && value.compareTo(longest) <= 0,
                key,
                "must be at least 1ms and at most " + longest.toSeconds() + "s",
                value.toMillis() + "ms");
    }

    /** The name servers, one by one. */
    List<String> nameServers() {
        return split(namesrvAddr);
    }

    /** The proxies, one by one. */
    List<String> proxies() {
        return split(proxyAddr);
    }

    private static List<String> split(String addresses) {
        return Arrays.stream(addresses.split("[;,]"))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .toList();
    }
}
