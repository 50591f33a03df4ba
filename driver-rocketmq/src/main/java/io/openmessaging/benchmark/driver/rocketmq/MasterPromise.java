package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import java.util.Map;

/** The guarantee of masters for a message that they have acknowledged, derived from the settings that they report. */
final class MasterPromise {

    static final String FLUSH = "flushDiskType";
    static final String ROLE = "brokerRole";

    /** Setting: number of threads that store messages. */
    static final String THREADS = "sendMessageThreadPoolNums";

    /** Setting: true if a controller lets a slave take the master's place. */
    static final String CONTROLLED = "enableControllerMode";

    /** Setting: number of copies required, including the master's. */
    static final String NEEDED = "inSyncReplicas";

    /** Setting, under a controller: true if instead all replicas that are in sync must have the message. */
    static final String ALL_IN_SYNC = "allAckInSyncStateSet";

    /** Setting, under a controller: number of replicas that must be in sync for a message to be accepted. */
    static final String LEAST_IN_SYNC = "minInSyncReplicas";

    private MasterPromise() {}

    /**
     * Derives the guarantee. Slaves that the master does not wait for, and that cannot take its place, do not count.
     *
     * @param settings settings of the masters; where these differ, all values, separated by commas
     * @param replicas number of brokers that have the messages, including the master
     */
    static Guarantee of(RocketMqConfig config, Map<String, String> settings, int replicas) {
        boolean controlled = settings.getOrDefault(CONTROLLED, "").contains("true") && replicas > 1;
        boolean allInSync = controlled && Boolean.parseBoolean(settings.get(ALL_IN_SYNC));
        int acknowledged =
                "SYNC_MASTER".equals(settings.get(ROLE)) ? number(settings, allInSync ? LEAST_IN_SYNC : NEEDED) : 1;
        int copies = controlled || acknowledged > 1 ? Math.max(replicas, acknowledged) : 1;
        Storage storage = storage(settings);
        if ((controlled || acknowledged > 1) && storage == Storage.SYNCED) {
            // A slave confirms a message on receipt, and flushes it some 10 ms later.
            storage = Storage.SYNCED_ONCE;
        }
        // Any replica in sync may take over: one that the master has not waited for lacks messages. If none is left, a
        // controller may choose any replica, depending on a setting that brokers do not report.
        boolean stale = controlled && acknowledged < copies && (!allInSync || acknowledged == 1);
        return new Guarantee(
                copies, acknowledged, storage, Consumption.ACKNOWLEDGED, order(config, settings), stale, "");
    }

    /**
     * Returns which messages keep their order. Over gRPC, no order is certain: messages without a key are sent in
     * parallel, and the consumers of a group receive from the same queue at the same time.
     */
    private static Order order(RocketMqConfig config, Map<String, String> settings) {
        boolean parallel = config.autoBatch() || config.senderPool() || config.transactions() != null;
        // A broker with several threads stores messages that arrive at the same time in any order.
        return parallel || config.protocol() == Protocol.GRPC || !"1".equals(settings.get(THREADS))
                ? Order.NONE
                : Order.PARTITION;
    }

    private static Storage storage(Map<String, String> settings) {
        return switch (settings.getOrDefault(FLUSH, "")) {
            case "SYNC_FLUSH" -> Storage.SYNCED;
            case "ASYNC_FLUSH" -> Storage.WRITTEN;
            default -> Storage.UNKNOWN;
        };
    }

    /** Returns a setting, at least 1, which is also the value if the broker does not report it. */
    private static int number(Map<String, String> settings, String key) {
        String value = settings.getOrDefault(key, "");
        return value.matches("\\d{1,9}") ? Math.max(1, Integer.parseInt(value)) : 1;
    }
}
