package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.rocketmq.remoting.protocol.SerializeType;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RocketMQ driver file. Where a default is said to be RocketMQ's, it is that of its Java client 5.5.0.
 *
 * @param protocol what producers and consumers speak
 * @param namesrvAddr the name servers, {@code host:port}, several of them separated by semicolons
 * @param proxyAddr with gRPC: the proxies, in the same form
 * @param clusterName the cluster whose brokers get the topics; null for the only one that the name servers know
 * @param vipChannelEnabled whether requests go to the broker's second port
 * @param accessKey the user's name, where brokers ask for one; null for none
 * @param secretKey the user's password
 * @param tls how connections are encrypted; null for connections that are not
 * @param batchCQ whether topics keep batches as they were sent: queues of the type {@code BatchCQ}
 * @param flushDiskType what the brokers have to be set to, or the run does not start; null for either
 * @param brokerRole what the brokers have to be set to, or the run does not start; null for either
 * @param maxMessageSize the largest message that a remoting producer takes, in bytes; RocketMQ's default
 * @param sendTimeout how long a message may be under way; RocketMQ's default
 * @param retryTimesWhenSendAsyncFailed how often a client sends a message again that got no answer; RocketMQ's default
 * @param compressMsgBodyOverHowmuch the size from which a remoting producer compresses messages, in bytes; RocketMQ's
 *     default
 * @param serializeType how remoting producers and consumers write the headers of their requests; RocketMQ's
 *     default
 * @param autoBatch whether a remoting producer gathers messages into batches by itself
 * @param batchMaxBytes with {@code autoBatch}: the size at which a batch is sent; null for RocketMQ's default
 * @param batchMaxDelayMs with {@code autoBatch}: how long a batch waits for more messages; null for RocketMQ's default
 * @param totalBatchMaxBytes with {@code autoBatch}: how many bytes may wait in batches, beyond which messages are sent one
 *     by one; null for RocketMQ's default
 * @param enableBackpressure whether a remoting producer waits while too much is under way
 * @param backpressureConcurrency how many messages are too many; RocketMQ's default
 * @param senderPool whether messages go through the remoting producer's own thread pool, where they overtake each other,
 *     as they do unless an application prevents it; otherwise the sending thread hands them to the connection
 * @param maxOutstandingMessages how many messages all producers of a worker together may have under way, after which
 *     sending waits
 * @param maxOutstandingBytes how many bytes
 * @param pullBatchSize how many messages a consumer asks for at a time; RocketMQ's default, whose brokers do not give
 *     more unless they are told to
 * @param awaitDuration how long a proxy keeps a gRPC consumer's request while there are no messages; by default the
 *     least that a proxy accepts unless it is told otherwise
 * @param pollNameServerInterval how often a remoting client asks the name servers where the queues are: when a slave has
 *     taken its master's place, it continues within that time; RocketMQ's default
 * @param heartbeatBrokerInterval how often a remoting client tells the brokers that it is there: within that time a new
 *     master gives messages to a consumer; RocketMQ's default
 * @param messageType with gRPC: whether messages with the same key share a queue and follow each other, or all go to any
 *     queue, side by side
 * @param pushConsumer with gRPC: whether consumers are RocketMQ's PushConsumer, which reads ahead, and not its
 *     SimpleConsumer; for normal messages
 * @param tags which messages get in turn, and consumers subscribe to; empty for messages without a tag
 * @param transactions how many transactions a remoting producer has under way, one for each message and each on a thread of
 *     its own; null for messages without a transaction
 * @param consumeMessageBatchMaxSize how many of them a remoting consumer hands over at a time
 * @param existingTopics topics that are there already and take the places of the run's own, in this order
 * @param sharedClients how many remoting instances of a process have all of its producers and consumers; null for one each
 */
public record RocketMqConfig(
        @Default("REMOTING") Protocol protocol,
        @Default("localhost:9876") String namesrvAddr,
        @Default("localhost:8081") String proxyAddr,
        @Nullable String clusterName,
        boolean vipChannelEnabled,
        @Nullable String accessKey,
        @Nullable String secretKey,
        @Nullable RocketMqTls tls,
        boolean batchCQ,
        @Nullable FlushDiskType flushDiskType,
        @Nullable BrokerRole brokerRole,
        @Default("4194304") @Range(from = "1") int maxMessageSize,
        @Default("3s") @Range(from = "1ms", to = "1h") Duration sendTimeout,
        @Default("2") @Range(from = "0") int retryTimesWhenSendAsyncFailed,
        @Default("4096") @Range(from = "0") int compressMsgBodyOverHowmuch,
        @Default("JSON") SerializeType serializeType,
        boolean autoBatch,
        @Range(from = "1", to = "2097152") @Nullable Integer batchMaxBytes,
        @Range(from = "1", to = "30000") @Nullable Integer batchMaxDelayMs,
        @Range(from = "1") @Nullable Integer totalBatchMaxBytes,
        boolean enableBackpressure,
        @Default("1024") @Range(from = "10") int backpressureConcurrency,
        boolean senderPool,
        @Default("50000") @Range(from = "1") int maxOutstandingMessages,
        @Default("268435456") @Range(from = "1") long maxOutstandingBytes,
        @Default("32") @Range(from = "1", to = "1024") int pullBatchSize,
        @Default("5s") @Range(from = "1ms", to = "1m") Duration awaitDuration,
        @Default("FIFO") MessageType messageType,
        boolean pushConsumer,
        @Default("[]") List<String> tags,
        @Range(from = "1", to = "1024") @Nullable Integer transactions,
        @Default("30s") @Range(from = "100ms", to = "10m") Duration pollNameServerInterval,
        @Default("30s") @Range(from = "100ms", to = "1m") Duration heartbeatBrokerInterval,
        @Default("32") @Range(from = "1", to = "1024") int consumeMessageBatchMaxSize,
        @Default("[]") List<String> existingTopics,
        @Nullable RocketMqSharedClients sharedClients)
        implements Checked {

    private static final String TAG = "[A-Za-z0-9_-]+";

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
        for (String tag : tags) {
            problems.require(tag.matches(TAG), "tags", "must be words of letters, digits, '_' and '-'", tag);
        }
        problems.names("existingTopics", existingTopics);
        checkTransactions(problems);
        checkGrpc(problems);
    }

    private void checkTransactions(Problems problems) {
        if (transactions != null) {
            String rule = "is not offered together with ";
            problems.require(protocol != Protocol.GRPC, "transactions", rule + "protocol GRPC", transactions);
            problems.require(!autoBatch, "transactions", rule + "autoBatch", transactions);
            problems.require(!batchCQ, "transactions", rule + "batchCQ", transactions);
            problems.require(sharedClients == null, "transactions", rule + "sharedClients", transactions);
        }
    }

    private static final Address.Form ADDRESSES = new Address.Form(
            "host:port, several of them separated by semicolons", List.of(), Address.Port.REQUIRED, false, false);

    private static void checkAddresses(Problems problems, String key, String value) {
        List<String> addresses = split(value);
        problems.require(!addresses.isEmpty(), key, "must name at least one address, host:port", value);
        for (String address : addresses) {
            problems.address(key, address, ADDRESSES);
        }
    }

    private void checkGrpc(Problems problems) {
        if (protocol != Protocol.GRPC) {
            problems.require(
                    messageType == MessageType.FIFO, "messageType", "is only offered with protocol GRPC", messageType);
            problems.require(!pushConsumer, "pushConsumer", "is only offered with protocol GRPC", pushConsumer);
            return;
        }
        problems.require(
                !pushConsumer || messageType == MessageType.NORMAL,
                "pushConsumer",
                "needs messageType NORMAL, since it does not keep the order of FIFO messages",
                pushConsumer);
        problems.require(!batchCQ, "batchCQ", "is not offered with protocol GRPC", batchCQ);
        problems.require(!autoBatch, "autoBatch", "is not offered with protocol GRPC", autoBatch);
        problems.require(!senderPool, "senderPool", "is not offered with protocol GRPC", senderPool);
        problems.require(sharedClients == null, "sharedClients", "is not offered with protocol GRPC", sharedClients);
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
