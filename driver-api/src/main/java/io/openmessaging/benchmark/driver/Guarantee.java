package io.openmessaging.benchmark.driver;

/**
 * What a system promises of a message that it has acknowledged to its producer, as it is configured for a run. Results
 * of different promises do not compare.
 *
 * @param copies how many copies of a message the system keeps; 0 if it keeps none
 * @param acknowledgedCopies how many of them there are at least when the message is acknowledged; 0 if the client does
 *     not wait for the system
 * @param storage where these copies are by then
 * @param consumption when a message counts as consumed
 * @param order among which messages consumers see the order in which they were sent, unless a producer or a consumer
 *     fails
 * @param staleTakeover whether a copy that lacks acknowledged messages may take the place of one that has them, as with
 *     Kafka's {@code acks=1} and several replicas
 * @param note a condition that the rest does not tell, as a sentence without a full stop; empty if there is none
 */
public record Guarantee(
        int copies,
        int acknowledgedCopies,
        Storage storage,
        Consumption consumption,
        Order order,
        boolean staleTakeover,
        String note) {

    /** Where a copy is. */
    public enum Storage {
        /** In the memory of a process, or in files that it drops when it starts again. */
        MEMORY,
        /** In files which the operating system has yet to bring to the disk. */
        WRITTEN,
        /**
         * On the disk of the node that has taken the message, as with {@link #SYNCED}, and with the others as with {@link
         * #WRITTEN}.
         */
        SYNCED_ONCE,
        /** On the disk: the system has waited for {@code fsync} or its like. */
        SYNCED,
        /** In files or on the disk: a setting decides that the system does not tell. */
        UNKNOWN
    }

    /** When a message counts as consumed. */
    public enum Consumption {
        /** When the consumer has acknowledged it: until then it comes again if the consumer goes. */
        ACKNOWLEDGED,
        /** When it is in flight to the consumer. */
        AUTOMATIC,
        /** Never: who reads keeps the place itself. */
        NOT_TRACKED
    }

    /** Among which messages there is an order. */
    public enum Order {
        /** All of a partition, as {@link TopicSpec#partitions()} counts them. */
        PARTITION,
        /** Those of a partition with the same key. */
        KEY,
        /** None. */
        NONE
    }

    /** Where only a copy that has all acknowledged messages takes the place of another one. */
    public Guarantee(
            int copies, int acknowledgedCopies, Storage storage, Consumption consumption, Order order, String note) {
        this(copies, acknowledgedCopies, storage, consumption, order, false, note);
    }

    /** Without a further condition. */
    public Guarantee(int copies, int acknowledgedCopies, Storage storage, Consumption consumption, Order order) {
        this(copies, acknowledgedCopies, storage, consumption, order, "");
    }

    /** Whether acknowledged messages are still there when one process of the system was killed and started again. */
    public boolean survivesKill() {
        return !staleTakeover && (acknowledgedCopies > 1 || acknowledgedCopies == 1 && storage != Storage.MEMORY);
    }

    /**
     * Whether acknowledged messages are still there when all machines of the system have lost power at the same moment.
     * False if that is not known. With {@link Storage#SYNCED_ONCE}, a node that has lost some may be the first to come back.
     */
    public boolean survivesPowerCut() {
        return !staleTakeover && acknowledgedCopies > 0 && storage == Storage.SYNCED;
    }

    /** The same as a sentence without a full stop. */
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
