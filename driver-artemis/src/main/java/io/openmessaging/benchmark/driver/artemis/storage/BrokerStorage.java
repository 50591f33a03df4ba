package io.openmessaging.benchmark.driver.artemis.storage;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a broker stores durable messages in durable queues.
 *
 * @param copies number of copies, all of which the broker awaits before it acknowledges a message
 * @param storage where they are by then
 * @param note further conditions; empty if there are none
 * @param settings settings of the broker that this follows from, for the result
 */
public record BrokerStorage(int copies, Storage storage, String note, Map<String, String> settings) {

    /** For a user who may send and consume, but lacks management rights. */
    public static final BrokerStorage HIDDEN =
            new BrokerStorage(1, Storage.UNKNOWN, "the user is not allowed to read the broker's settings", Map.of());

    /** If false, the broker waits until the journal is written, but does not sync it, with each type of journal. */
    private static final String DATASYNC = "journal-datasync";

    /** If false, the broker does not sync large messages, which are files of their own. */
    private static final String LARGE_SYNC = "large-message-sync";

    private static final String OFF = "false";
    private static final String NOT_REPORTED = "not reported";

    private static final String NOTE_ON_BACKUP = "a node that has lost its peer continues alone";

    /** Reads an attribute of the broker, as text. */
    @FunctionalInterface
    public interface Attributes {

        /** Asks for the attribute of this name. */
        String get(String name) throws DriverException, InterruptedException;
    }

    /**
     * Asks a broker for its settings.
     *
     * @param transactional true if messages are sent in transactions, which have a setting of their own
     */
    public static BrokerStorage read(Attributes broker, boolean transactional)
            throws DriverException, InterruptedException {
        Map<String, String> settings = new TreeMap<>();
        boolean persistent = is("persistenceEnabled", broker);
        settings.put("persistence enabled", Boolean.toString(persistent));
        settings.put("journal type", persistent ? broker.get("journalType") : "none");
        boolean replicated = persistent && is("replicaSync", broker);
        settings.put("backup in sync", Boolean.toString(replicated));
        if (!persistent) {
            return new BrokerStorage(1, Storage.MEMORY, "", settings);
        }
        String name = broker.get("name");
        String datasync = inName(DATASYNC, name);
        String largeSync = inName(LARGE_SYNC, name);
        settings.put(DATASYNC, datasync);
        settings.put(LARGE_SYNC, largeSync);
        boolean waits = is(transactional ? "journalSyncTransactional" : "journalSyncNonTransactional", broker);
        boolean synced = waits && !datasync.equals(OFF) && !largeSync.equals(OFF);
        // A backup writes without sync.
        Storage storage = !synced ? Storage.WRITTEN : replicated ? Storage.SYNCED_ONCE : Storage.SYNCED;
        String note = Stream.of(replicated ? NOTE_ON_BACKUP : "", waits ? noteOnSyncs(datasync, largeSync) : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return new BrokerStorage(replicated ? 2 : 1, storage, note, settings);
    }

    private static boolean is(String attribute, Attributes broker) throws DriverException, InterruptedException {
        return Boolean.parseBoolean(broker.get(attribute));
    }

    /** Finds a setting that the management does not report; the local broker has it in its name. */
    private static String inName(String setting, String name) {
        Matcher found = Pattern.compile("\\b" + setting + "=(true|false)\\b").matcher(name);
        return found.find() ? found.group(1) : NOT_REPORTED;
    }

    private static String noteOnSyncs(String datasync, String largeSync) {
        if (datasync.equals(OFF)) {
            return DATASYNC + " is false";
        }
        if (largeSync.equals(OFF)) {
            return LARGE_SYNC + " is false: large messages are not synced";
        }
        return datasync.equals(NOT_REPORTED) || largeSync.equals(NOT_REPORTED)
                ? "if the broker has " + DATASYNC + " and " + LARGE_SYNC + ", its default, which it does not report"
                : "";
    }
}
