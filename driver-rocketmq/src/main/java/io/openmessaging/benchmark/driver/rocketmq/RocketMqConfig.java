package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;
import org.apache.rocketmq.remoting.protocol.SerializeType;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a RocketMQ driver file. A default marked as RocketMQ's is that of its Java client 5.5.0.
 *
 * @param protocol protocol of producers and consumers
 * @param namesrvAddr name servers, {@code host:port}, separated by semicolons if several
 * @param proxyAddr with gRPC: proxies, in the same form
 * @param clusterName cluster whose brokers get the topics; null for the only one that the name servers know
 * @param vipChannelEnabled true if requests go to the broker's second port
 * @param accessKey user name, where brokers require one; null for none
 * @param secretKey password of that user
 * @param tls encryption of connections; null for none
 * @param batchCQ true if topics keep batches as they were sent: queues of type {@code BatchCQ}
 * @param flushDiskType setting that the brokers must have, or the run does not start; null for either
 * @param brokerRole setting that the brokers must have, or the run does not start; null for either
 * @param maxMessageSize largest message that a remoting producer accepts, bytes; RocketMQ's default
 * @param sendTimeout time that a send may take; RocketMQ's default
 * @param retryTimesWhenSendAsyncFailed number of times that a client resends a message without an answer; RocketMQ's
 *     default
 * @param compressMsgBodyOverHowmuch size from which a remoting producer compresses messages, bytes; RocketMQ's default
 * @param serializeType format of the request headers of remoting producers and consumers; RocketMQ's default
 * @param autoBatch true if a remoting producer gathers messages into batches by itself
 * @param batchMaxBytes with {@code autoBatch}: size at which a batch is sent, bytes; null for RocketMQ's default
 * @param batchMaxDelayMs with {@code autoBatch}: time for which a batch waits for more messages, milliseconds; null
 *     for RocketMQ's default
 * @param totalBatchMaxBytes with {@code autoBatch}: largest number of bytes that wait in batches, beyond which
 *     messages are sent one by one; null for RocketMQ's default
 * @param enableBackpressure true if a remoting producer waits while too many messages are in flight
 * @param backpressureConcurrency number of messages in flight at which it waits; RocketMQ's default
 * @param senderPool true to send through the remoting producer's own thread pool, where messages overtake each other,
 *     as they do unless an application prevents it; false to let the sending thread hand them to the connection
 * @param maxOutstandingMessages largest number of messages in flight of all producers of a worker together, beyond
 *     which sending waits
 * @param maxOutstandingBytes largest number of bytes in flight, likewise
 * @param pullBatchSize number of messages that a consumer requests at a time; RocketMQ's default, since its brokers do
 *     not return more unless configured to
 * @param awaitDuration time for which a proxy keeps a gRPC consumer's request while there are no messages; the default
 *     is the least that a proxy accepts unless configured otherwise
 * @param pollNameServerInterval interval at which a remoting client asks the name servers where the queues are: after
 *     a slave has taken its master's place, the client continues within that time; RocketMQ's default
 * @param heartbeatBrokerInterval interval at which a remoting client sends heartbeats to the brokers: a new master
 *     gives messages to a consumer within that time; RocketMQ's default
 * @param messageType with gRPC: type of all messages; those with the same key share a queue and are sent one after
 *     the other, or all go to any queue, side by side
 * @param pushConsumer with gRPC: true for RocketMQ's PushConsumer, which reads ahead, false for its SimpleConsumer;
 *     only for normal messages
 * @param tags tags that messages get in turn, and that consumers subscribe to; empty for messages without a tag
 * @param transactions number of transactions that a remoting producer has in flight, one per message, each on its own
 *     thread; null for messages without a transaction
 * @param consumeMessageBatchMaxSize largest number of messages that a remoting consumer delivers at a time
 * @param existingTopics existing topics that replace the run's own, in this order
 * @param sharedClients numbers of remoting instances that all producers and consumers of a process share; null for one
 *     each
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

    /** The point at which a broker confirms a message. */
    public enum FlushDiskType {
        /** Once it is in memory. */
        ASYNC_FLUSH,
        /** Once it is on disk. */
        SYNC_FLUSH
    }

    /** The way in which a master treats its replicas. */
    public enum BrokerRole {
        /** Confirms a message before the replicas have it. */
        ASYNC_MASTER,
        /** Confirms a message once the replicas have it. */
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
                "must also be set",
                null);
        for (String tag : tags) {
            problems.require(tag.matches(TAG), "tags", "must consist of letters, digits, '_' and '-'", tag);
        }
        problems.names("existingTopics", existingTopics);
        checkTransactions(problems);
        checkGrpc(problems);
    }

    private void checkTransactions(Problems problems) {
        if (transactions != null) {
            String rule = "cannot be combined with ";
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
                    messageType == MessageType.FIFO, "messageType", "is only allowed with protocol GRPC", messageType);
            problems.require(!pushConsumer, "pushConsumer", "is only allowed with protocol GRPC", pushConsumer);
            return;
        }
        problems.require(
                !pushConsumer || messageType == MessageType.NORMAL,
                "pushConsumer",
                "needs messageType NORMAL, since it does not keep the order of FIFO messages",
                pushConsumer);
        problems.require(!batchCQ, "batchCQ", "is not allowed with protocol GRPC", batchCQ);
        problems.require(!autoBatch, "autoBatch", "is not allowed with protocol GRPC", autoBatch);
        problems.require(!senderPool, "senderPool", "is not allowed with protocol GRPC", senderPool);
        problems.require(sharedClients == null, "sharedClients", "is not allowed with protocol GRPC", sharedClients);
    }

    /** Returns the name servers, one address each. */
    List<String> nameServers() {
        return split(namesrvAddr);
    }

    /** Returns the proxies, one address each. */
    List<String> proxies() {
        return split(proxyAddr);
    }

    private static List<String> split(String addresses) {
        return Arrays.stream(addresses.split("[;,]"))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .toList();
    }

    /**
     * Encryption of connections. RocketMQ's remoting client has one setting per process, here for all clients of one
     * driver; its gRPC client accepts any certificate and presents none.
     *
     * @param trustCertPath PEM file with the trusted certificates; null for any
     * @param certPath PEM file with the client's own certificate; null for none
     * @param keyPath PEM file with its key, not encrypted; null for none
     */
    public record RocketMqTls(
            @Nullable String trustCertPath,
            @Nullable String certPath,
            @Nullable String keyPath) implements Checked {

        @Override
        public void check(Problems problems) {
            problems.readable("trustCertPath", trustCertPath);
            problems.readable("certPath", certPath);
            problems.readable("keyPath", keyPath);
            problems.require(
                    (certPath == null) == (keyPath == null),
                    keyPath == null ? "keyPath" : "certPath",
                    "must also be set",
                    null);
        }

        /** Applies the settings to the remoting clients created from now on. */
        void enforce() {
            TlsSystemConfig.tlsTestModeEnable = false;
            TlsSystemConfig.tlsClientAuthServer = trustCertPath != null;
            TlsSystemConfig.tlsClientTrustCertPath = trustCertPath;
            TlsSystemConfig.tlsClientCertPath = certPath;
            TlsSystemConfig.tlsClientKeyPath = keyPath;
        }
    }

    /**
     * Numbers of RocketMQ instances, which hold the connections and most of the threads, that the producers and the
     * consumers of a process share. Allows more of them than a process could have threads and sockets for otherwise.
     *
     * @param producers number of instances of all producers, each with one RocketMQ client
     * @param consumers number of instances of all consumers, which have a client each: an instance reports all its
     *     groups to the brokers whenever one of them changes, so it should not have too many
     */
    public record RocketMqSharedClients(
            @Default("4") @Range(from = "1", to = "1000") int producers,
            @Default("32") @Range(from = "1", to = "1000") int consumers) {}

    /** The kind of a topic's messages, in RocketMQ's terms. */
    public enum MessageType {
        /** Messages with the same group follow each other in one queue. */
        FIFO,
        /** Messages go to any queue, in any order. */
        NORMAL
    }

    /** The protocol between clients and brokers. */
    public enum Protocol {

        /** RocketMQ's own protocol, from the clients directly to the brokers. */
        REMOTING,

        /** gRPC, through a proxy. Topics are still created over the remoting protocol. */
        GRPC
    }
}
