package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.NodeNeeds;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.driver.redis.link.AcknowledgeAfter;
import io.openmessaging.benchmark.driver.redis.link.Directory.Deployment;
import io.openmessaging.benchmark.driver.redis.link.Directory.Seeds;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * The keys of a Redis driver file.
 *
 * @param redisHost host of the Redis server
 * @param redisPort port of the Redis server
 * @param redisUser user in Redis' access control lists; null for the default user
 * @param redisPass password; null for none
 * @param jedisPoolMaxTotal without effect: producers and consumers do not share connections
 * @param jedisPoolMaxIdle without effect, like {@code jedisPoolMaxTotal}
 * @param mode Redis feature that carries the messages
 * @param clusterAddresses {@code host:port} of some nodes of a Redis Cluster; replaces {@code redisHost} and
 *     {@code redisPort}. Empty for a single server
 * @param sentinels {@code host:port} of some sentinels, which name the primary; replaces {@code redisHost} and
 *     {@code redisPort}. Empty for a server with a fixed address
 * @param sentinelMaster name by which the sentinels know the primary
 * @param pipelineDepth number of commands of one producer that may wait for Redis' reply; with 1, a message is sent
 *     only once the previous one is confirmed. The default is that of the usual comparison with
 *     {@code redis-benchmark -P 64}; higher values do not make Redis faster
 * @param flushInterval time for which commands may be held back in order to be written together; 0 holds them back
 *     only while enough others are in flight to keep Redis busy
 * @param maxLength number of entries that each stream is trimmed to, approximately: at least this many remain; null
 *     for no limit
 * @param readCount largest number of messages that a consumer requests at once; the default number of 1 KB messages
 *     fits into the socket's buffers
 * @param acknowledgeAfter where else a message must be stored before it counts as acknowledged; null if the server
 *     that receives it is enough
 * @param existingTopics existing streams that replace the run's own, in this order
 * @param tls encryption of connections; null for none
 */
public record RedisConfig(
        @Default("localhost") String redisHost,
        @Default("6379") @Range(from = "1", to = "65_535") int redisPort,
        @Nullable String redisUser,
        @Nullable String redisPass,
        @Nullable Integer jedisPoolMaxTotal,
        @Nullable Integer jedisPoolMaxIdle,
        @Default("STREAM") RedisMode mode,
        @Default("[]") List<String> clusterAddresses,
        @Default("[]") List<String> sentinels,
        @Default("mymaster") String sentinelMaster,
        @Default("64") @Range(from = "1", to = "1_000_000") int pipelineDepth,
        @Default("0s") @Range(from = "0s", to = "1s") Duration flushInterval,
        @Range(from = "1") @Nullable Long maxLength,
        @Default("256") @Range(from = "1", to = "1_000_000") int readCount,
        @Nullable AcknowledgeAfter acknowledgeAfter,
        @Default("[]") List<String> existingTopics,
        @Nullable RedisTls tls)
        implements Checked {

    private static final Address.Form HOST =
            new Address.Form("a host alone, with its port in redisPort", List.of(), Address.Port.ABSENT, false, false);

    private static final int LEAST_MASTERS = 3;

    /** Limit for asking one of several nodes where keys are; after it, the next node is asked. */
    private static final Duration ASKING_LIMIT = Duration.ofSeconds(5);

    @Override
    public void check(Problems problems) {
        problems.address("redisHost", redisHost, HOST);
        problems.require(redisUser == null || redisPass != null, "redisUser", "needs redisPass as well", redisUser);
        clusterAddresses.forEach(address -> problems.address("clusterAddresses", address));
        sentinels.forEach(address -> problems.address("sentinels", address));
        problems.require(
                sentinels.isEmpty() || clusterAddresses.isEmpty(),
                "sentinels",
                "must be absent with clusterAddresses, since a Redis Cluster has none",
                sentinels);
        problems.require(!sentinelMaster.isBlank(), "sentinelMaster", "must name the primary", sentinelMaster);
        problems.require(
                maxLength == null || mode == RedisMode.STREAM, "maxLength", "applies in mode STREAM only", maxLength);
        problems.require(
                acknowledgeAfter == null || mode != RedisMode.PUBSUB,
                "acknowledgeAfter",
                "does not apply in mode PUBSUB, which stores nothing",
                acknowledgeAfter);
        checkExisting(problems);
    }

    private void checkExisting(Problems problems) {
        problems.names("existingTopics", existingTopics);
        problems.require(
                existingTopics.isEmpty() || mode == RedisMode.STREAM,
                "existingTopics",
                "needs mode STREAM: channels and lists keep nothing that a run could use",
                existingTopics);
        problems.require(
                existingTopics.isEmpty() || maxLength == null,
                "maxLength",
                "must be absent with existingTopics, since it would remove entries of other programs",
                maxLength);
    }

    /** Returns the nodes needed: a cluster has at least three masters, each with as many replicas as must confirm. */
    Optional<NodeNeeds> nodeNeeds() {
        int replicas = acknowledgeAfter == null ? 0 : acknowledgeAfter.replicas();
        int masters = isCluster() ? LEAST_MASTERS : 1;
        String because = isCluster()
                ? "clusterAddresses"
                : replicas > 0 ? "acknowledgeAfter.replicas: " + replicas : "sentinels";
        int copies = !sentinels.isEmpty() && replicas == 0 ? 2 : 1 + replicas;
        return masters * copies > 1 ? Optional.of(new NodeNeeds(masters * copies, because)) : Optional.empty();
    }

    boolean isCluster() {
        return !clusterAddresses.isEmpty();
    }

    /** Returns whether another node may replace a lost one. */
    boolean isFailingOver() {
        return isCluster() || !sentinels.isEmpty();
    }

    List<String> addresses() {
        if (!sentinels.isEmpty()) {
            return sentinels;
        }
        return isCluster() ? clusterAddresses : List.of(redisHost + ":" + redisPort);
    }

    Seeds seeds() {
        Deployment kind =
                !sentinels.isEmpty() ? Deployment.SENTINELS : isCluster() ? Deployment.CLUSTER : Deployment.SERVER;
        return new Seeds(kind, addresses().stream().map(HostAndPort::from).toList(), sentinelMaster);
    }

    /** Returns the settings for connections to the {@link #seeds}; sentinels do not know the users of the servers. */
    JedisClientConfig seedConfig(Duration timeout) {
        boolean patient = !isFailingOver() || timeout.compareTo(ASKING_LIMIT) < 0;
        return clientConfig(patient ? timeout : ASKING_LIMIT, sentinels.isEmpty());
    }

    /**
     * Returns the settings for connections to servers.
     *
     * @param timeout limit for connecting and for each reply
     */
    JedisClientConfig clientConfig(Duration timeout) {
        return clientConfig(timeout, true);
    }

    private JedisClientConfig clientConfig(Duration timeout, boolean withLogin) {
        int timeoutMs = Deadline.millis(timeout);
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder()
                // The older protocol version, without negotiation: the replies that this driver parses itself look the
                // same on all servers, and servers that do not know HELLO work, too.
                .serverDefaultProtocol()
                .connectionTimeoutMillis(timeoutMs)
                .socketTimeoutMillis(timeoutMs)
                .user(withLogin ? redisUser : null)
                .password(withLogin ? redisPass : null);
        if (tls != null) {
            builder.sslOptions(tls.options());
        }
        return builder.build();
    }

    RedisConfig withAddresses(List<String> addresses) {
        if (!sentinels.isEmpty()) {
            return ConfigRecords.with(this, Map.of("sentinels", addresses));
        }
        if (isCluster() || addresses.size() > 1) {
            return ConfigRecords.with(this, Map.of("clusterAddresses", addresses));
        }
        HostAndPort node = HostAndPort.from(addresses.get(0));
        return ConfigRecords.with(this, Map.of("redisHost", node.getHost(), "redisPort", node.getPort()));
    }

    /** The Redis feature that carries the messages. */
    public enum RedisMode {

        /** Streams with a consumer group for each subscription: {@code XADD}, {@code XREADGROUP}, {@code XACK}. */
        STREAM,

        /** Publish/subscribe: {@code PUBLISH}, {@code SUBSCRIBE}. Nothing is stored. */
        PUBSUB,

        /** A list for each subscription: {@code LPUSH}, {@code BLMPOP}. */
        LIST
    }

    /**
     * Encryption of connections.
     *
     * @param trustStore file with the trusted certificates, JKS or PKCS#12; null for those of the JDK
     * @param trustStorePassword password of that file
     * @param keyStore file with the client's certificate and key, PKCS#12; null for none
     * @param keyStorePassword password of that file
     * @param verify checks made on the server's certificate
     */
    public record RedisTls(
            @Nullable String trustStore,
            @Nullable String trustStorePassword,
            @Nullable String keyStore,
            @Nullable String keyStorePassword,
            @Default("FULL") Verify verify)
            implements Checked {

        /** The checks made on a server's certificate. */
        public enum Verify {
            /** Signer and host name. */
            FULL,
            /** Signer only. */
            CA,
            /** None. */
            INSECURE
        }

        @Override
        public void check(Problems problems) {
            problems.readable("trustStore", trustStore);
            problems.readable("keyStore", keyStore);
        }

        SslOptions options() {
            SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.valueOf(verify.name()));
            if (trustStore != null) {
                options.trustStoreType(storeType(trustStore))
                        .truststore(new File(trustStore), chars(trustStorePassword));
            }
            if (keyStore != null) {
                options.keyStoreType(storeType(keyStore)).keystore(new File(keyStore), chars(keyStorePassword));
            }
            return options.build();
        }

        private static String storeType(String file) {
            return file.toLowerCase(Locale.ROOT).endsWith(".jks") ? "JKS" : "PKCS12";
        }

        private static char[] chars(@Nullable String password) {
            return password == null ? new char[0] : password.toCharArray();
        }
    }
}
