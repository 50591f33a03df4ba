package io.openmessaging.benchmark.driver;

/**
 * A system's promise for a message that it has acknowledged to its producer, as configured for a run. Results with
 * different guarantees are not comparable.
 *
 * @param copies number of copies of a message that the system keeps; 0 if it keeps none
 * @param acknowledgedCopies minimum number of copies at the time of the acknowledgement; 0 if the client does not wait
 *     for the system
 * @param storage where these copies are at that time
 * @param consumption when a message counts as consumed
 * @param order set of messages that consumers see in the order of sending, unless a producer or a consumer fails
 * @param staleTakeover true if a copy that lacks acknowledged messages may replace one that has them, as with Kafka's
 *     {@code acks=1} and several replicas
 * @param note a further condition, as a sentence without a full stop; empty if there is none
 */
public record Guarantee(
        int copies,
        int acknowledgedCopies,
        Storage storage,
        Consumption consumption,
        Order order,
        boolean staleTakeover,
        String note) {

    /** The place where a copy is stored. */
    public enum Storage {
        /** In the memory of a process, or in files that it discards when it restarts. */
        MEMORY,
        /** In files that the operating system has not yet written to the disk. */
        WRITTEN,
        /**
         * On the disk of the node that accepted the message, as with {@link #SYNCED}; on the other nodes as with
         * {@link #WRITTEN}.
         */
        SYNCED_ONCE,
        /** On the disk: the system has waited for {@code fsync} or an equivalent. */
        SYNCED,
        /** In files or on the disk, depending on a setting that the system does not reveal. */
        UNKNOWN
    }

    /** When a message counts as consumed. */
    public enum Consumption {
        /** When the consumer has acknowledged it: until then it is redelivered if the consumer disappears. */
        ACKNOWLEDGED,
        /** When it is in flight to the consumer. */
        AUTOMATIC,
        /** Never: readers keep track of their position themselves. */
        NOT_TRACKED
    }

    /** The set of messages that have an order. */
    public enum Order {
        /** All messages of a partition, as {@link TopicSpec#partitions()} counts them. */
        PARTITION,
        /** Messages of a partition that have the same key. */
        KEY,
        NONE
    }

    /** A guarantee where only a copy that has all acknowledged messages can replace another one. */
    public Guarantee(
            int copies, int acknowledgedCopies, Storage storage, Consumption consumption, Order order, String note) {
        this(copies, acknowledgedCopies, storage, consumption, order, false, note);
    }

    /** A guarantee without a further condition. */
    public Guarantee(int copies, int acknowledgedCopies, Storage storage, Consumption consumption, Order order) {
        this(copies, acknowledgedCopies, storage, consumption, order, "");
    }

    /** Returns whether acknowledged messages survive if one process of the system is killed and restarted. */
    public boolean survivesKill() {
        return !staleTakeover && (acknowledgedCopies > 1 || acknowledgedCopies == 1 && storage != Storage.MEMORY);
    }

    /**
     * Returns whether acknowledged messages survive if all machines of the system lose power at the same moment. False
     * if that is not known. With {@link Storage#SYNCED_ONCE}, a node that has lost some messages may be the first to
     * return.
     */
    public boolean survivesPowerCut() {
        return !staleTakeover && acknowledgedCopies > 0 && storage == Storage.SYNCED;
    }

    /** Formats the guarantee as a sentence without a full stop. */
    public String inWords() {
        if (copies == 0) {
            return "no copy is kept, survives no crash";
        }
        String kept = copies + (copies == 1 ? " copy" : " copies");
        String where = acknowledgedCopies == 0
                ? "not acknowledged"
                : (copies == 1 ? "" : acknowledgedCopies + " ")
                        + switch (storage) {
                            case MEMORY -> "in memory";
                            case WRITTEN -> "written but not synced";
                            case SYNCED_ONCE -> "written, one of them synced to the disk,";
                            case SYNCED -> "synced to the disk";
                            case UNKNOWN -> "written, and synced or not,";
                        }
                        + " when acknowledged";
        String survives = survivesPowerCut()
                ? "survives a power cut"
                : survivesKill() ? "survives a killed process" : "survives no crash";
        return kept + ", " + where + ", " + survives + (note.isEmpty() ? "" : " (" + note + ")");
    }
}
