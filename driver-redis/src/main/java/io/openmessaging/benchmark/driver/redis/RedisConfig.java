package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * The keys of a Redis driver file.
 *
 * @param redisHost where Redis listens, {@code localhost} unless given
 * @param redisPort its port, 6379 unless given
 * @param redisUser the user of Redis' access control lists; null for the default one
 * @param redisPass the password; null for none
 * @param jedisPoolMaxTotal without effect: producers and consumers do not share connections
 * @param jedisPoolMaxIdle without effect, as {@code jedisPoolMaxTotal}
 * @param mode how messages are passed on, {@link RedisMode#STREAM} unless given
 * @param clusterAddresses {@code host:port} of some nodes of a Redis Cluster; takes the place of {@code redisHost} and
 *     {@code redisPort}. Empty for a single server
 * @param pipelineDepth how many commands of one producer may wait for Redis' answer, 64 unless given; 1 sends a message
 *     only when the one before is confirmed
 * @param flushInterval how long commands may be held back to be written together; 0, the default, holds them back only
 *     while enough others are under way to keep Redis busy
 * @param maxLength to how many entries each stream is trimmed, not exactly but at least; null for no limit
 * @param readCount how many messages a consumer asks for at once, 256 unless given
 * @param tls how connections are encrypted; null for not at all
 */
public record RedisConfig(
        String redisHost,
        Integer redisPort,
        @Nullable String redisUser,
        @Nullable String redisPass,
        @Nullable Integer jedisPoolMaxTotal,
        @Nullable Integer jedisPoolMaxIdle,
        RedisMode mode,
        List<String> clusterAddresses,
        Integer pipelineDepth,
        Duration flushInterval,
        @Nullable Long maxLength,
        Integer readCount,
        @Nullable RedisTls tls)
        implements Checked {

    private static final String DEFAULT_HOST = "localhost";
    private static final int DEFAULT_PORT = 6379;
    private static final int HIGHEST_PORT = 65_535;

    /** As many as the usual comparison with {@code redis-benchmark -P 64}; more no longer makes Redis faster. */
    private static final int DEFAULT_PIPELINE_DEPTH = 64;

    private static final int HIGHEST_PIPELINE_DEPTH = 1_000_000;

    /** With messages of 1 KB, what fits into the socket's buffers. */
    private static final int DEFAULT_READ_COUNT = 256;

    private static final int HIGHEST_READ_COUNT = 1_000_000;

    private static final Duration LONGEST_FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** What is absent gets its default. */
    public RedisConfig {
        redisHost = redisHost == null ? DEFAULT_HOST : redisHost;
        redisPort = redisPort == null ? DEFAULT_PORT : redisPort;
        mode = mode == null ? RedisMode.STREAM : mode;
        clusterAddresses = clusterAddresses == null ? List.of() : List.copyOf(clusterAddresses);
        pipelineDepth = pipelineDepth == null ? DEFAULT_PIPELINE_DEPTH : pipelineDepth;
        flushInterval = flushInterval == null ? Duration.ZERO : flushInterval;
        readCount = readCount == null ? DEFAULT_READ_COUNT : readCount;
    }

    @Override
    public void check(Problems problems) {
        problems.require(!redisHost.isBlank(), "redisHost", "must name a host", redisHost);
        problems.within(1, HIGHEST_PORT, "redisPort", redisPort);
        problems.require(redisUser == null || redisPass != null, "redisUser", "needs redisPass as well", redisUser);
        for (String address : clusterAddresses) {
            problems.require(isAddress(address), "clusterAddresses", "must be host:port each", address);
        }
        problems.within(1, HIGHEST_PIPELINE_DEPTH, "pipelineDepth", pipelineDepth);
        problems.within(1, HIGHEST_READ_COUNT, "readCount", readCount);
        problems.require(
                !flushInterval.isNegative() && flushInterval.compareTo(LONGEST_FLUSH_INTERVAL) <= 0,
                "flushInterval",
                "must be at least 0s and at most 1s",
                flushInterval);
        problems.require(maxLength == null || maxLength >= 1, "maxLength", "must be at least 1", maxLength);
        problems.require(
                maxLength == null || mode == RedisMode.STREAM,
                "maxLength",
                "has a meaning in mode STREAM only",
                maxLength);
    }

    private static boolean isAddress(String address) {
        int colon = address.lastIndexOf(':');
        String port = address.substring(colon + 1);
        return colon > 0
                && port.matches("\\d{1,5}")
                && Integer.parseInt(port) >= 1
                && Integer.parseInt(port) <= HIGHEST_PORT;
    }

    boolean isCluster() {
        return !clusterAddresses.isEmpty();
    }

    List<String> addresses() {
        return isCluster() ? clusterAddresses : List.of(redisHost + ":" + redisPort);
    }

    /**
     * For every connection.
     *
     * @param timeout the limit for connecting and for each answer
     */
    JedisClientConfig clientConfig(Duration timeout) {
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder()
                // The older version of the protocol, without asking for it: what this driver parses itself looks the
                // same with all servers, and those that do not know HELLO can be used, too.
                .serverDefaultProtocol()
                .connectionTimeoutMillis(timeoutMs)
                .socketTimeoutMillis(timeoutMs)
                .user(redisUser)
                .password(redisPass);
        if (tls != null) {
            builder.sslOptions(tls.options());
        }
        return builder.build();
    }

    RedisConfig withAddresses(List<String> addresses) {
        if (isCluster() || addresses.size() > 1) {
            return ConfigRecords.with(this, Map.of("clusterAddresses", addresses));
        }
        HostAndPort node = HostAndPort.from(addresses.get(0));
        return ConfigRecords.with(this, Map.of("redisHost", node.getHost(), "redisPort", node.getPort()));
    }
}
