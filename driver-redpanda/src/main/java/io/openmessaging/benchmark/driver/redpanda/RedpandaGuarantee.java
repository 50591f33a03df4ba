package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;

/**
 * Redpanda's guarantee. A partition is a Raft group: with {@code acks=all}, a message is acknowledged once a majority
 * of the copies has it, whatever {@code min.insync.replicas} says, and only a copy that has it can become the leader.
 * Redpanda writes past the page cache: until it flushes a message, that is only in the memory of its process.
 */
final class RedpandaGuarantee {

    /** Setting of a topic: whether {@code acks=all} waits for the disk ({@code false}) or not ({@code true}). */
    static final String WRITE_CACHING = "write.caching";

    /**
     * Setting of the cluster: the value for topics without their own one, or {@code disabled}, which also applies to
     * topics with one.
     */
    static final String WRITE_CACHING_DEFAULT = "write_caching_default";

    private static final String DISABLED = "disabled";

    private RedpandaGuarantee() {}

    /**
     * Derives the guarantee of a topic.
     *
     * @param ofKafka guarantee that Apache Kafka would give
     * @param acks number of brokers that producers wait for: {@code 0}, {@code 1}, or all
     * @param topic settings of the topic, as far as they are known
     * @param cluster settings of the cluster, as far as they are known
     */
    static Guarantee of(Guarantee ofKafka, String acks, Map<String, String> topic, Map<String, String> cluster) {
        boolean majority = !acks.equals("0") && !acks.equals("1");
        String byDefault = cluster.getOrDefault(WRITE_CACHING_DEFAULT, "");
        String caching = byDefault.equals(DISABLED) ? DISABLED : topic.getOrDefault(WRITE_CACHING, byDefault);
        boolean flushed = majority && (caching.equals(DISABLED) || caching.equals("false"));
        return new Guarantee(
                ofKafka.copies(),
                majority ? ofKafka.copies() / 2 + 1 : ofKafka.acknowledgedCopies(),
                // Whether a flush reaches the disk depends on a further setting, which Redpanda does not reveal.
                flushed ? Storage.UNKNOWN : Storage.MEMORY,
                ofKafka.consumption(),
                ofKafka.order(),
                !majority && ofKafka.staleTakeover(),
                majority ? note(caching, flushed) : ofKafka.note());
    }

    private static String note(String caching, boolean flushed) {
        if (flushed) {
            return "Redpanda syncs messages sent with acks=all before it acknowledges them, unless it was started with"
                    + " --unsafe-bypass-fsync";
        }
        return caching.equals("true")
                ? "write caching is on"
                : "it is not known whether write caching is off, with which Redpanda would sync messages first";
    }
}
