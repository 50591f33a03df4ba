package io.openmessaging.benchmark.broker.artemis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The settings of a broker. All keys except those of the login and of the acceptor are elements of {@code broker.xml},
 * below {@code core} or in the address setting that applies to every address.
 *
 * @param values our defaults, overridden by given settings
 */
record BrokerSettings(Map<String, String> values) {

    static final String JOURNAL_TYPE = "journal-type";
    static final String PERSISTENCE_ENABLED = "persistence-enabled";
    static final String SECURITY_ENABLED = "security-enabled";

    private static final String DATASYNC = "journal-datasync";
    private static final String LARGE_SYNC = "large-message-sync";

    /** The user who may do everything, if security is on. Artemis keeps users in separate files. */
    static final String USER = "user";

    static final String PASSWORD = "password";

    /** The protocols of the acceptor. */
    static final String PROTOCOLS = "protocols";

    /** Further parameters of the acceptor, {@code key=value;key=value}. */
    static final String ACCEPTOR_PARAMETERS = "acceptor-parameters";

    /** The format of a value. */
    private enum ValueType {
        FLAG("true or false", "true|false"),
        NUMBER("a number", "-?\\d{1,18}"),
        SIZE("a size such as 1048576, 512K or 10M", "-?\\d{1,18}([kKmMgG](iB|b|i)?)?"),
        JOURNAL("NIO, ASYNCIO or MAPPED", "NIO|ASYNCIO|MAPPED"),
        FULL_POLICY("PAGE, BLOCK, FAIL or DROP", "PAGE|BLOCK|FAIL|DROP"),
        PROTOCOLS("CORE or CORE,AMQP", "CORE(,AMQP)?"),
        PARAMETERS("key=value pairs, separated by semicolons", "[^=;\\s]+=[^=;]*(;[^=;\\s]+=[^=;]*)*"),
        TEXT("a text", "(?s).+");

        private final String description;
        private final Pattern pattern;

        ValueType(String description, String pattern) {
            this.description = description;
            this.pattern = Pattern.compile(pattern);
        }
    }

    private static final Map<String, ValueType> OF_CORE = ofKinds(Map.of(
            ValueType.JOURNAL,
            JOURNAL_TYPE,
            ValueType.FLAG,
            PERSISTENCE_ENABLED + " " + SECURITY_ENABLED + " " + DATASYNC + " " + LARGE_SYNC
                    + " journal-sync-transactional journal-sync-non-transactional",
            ValueType.SIZE,
            "journal-file-size journal-buffer-size global-max-size min-disk-free",
            ValueType.NUMBER,
            "journal-min-files journal-pool-files journal-buffer-timeout journal-max-io page-sync-timeout"
                    + " global-max-messages max-disk-usage thread-pool-max-size"));

    private static final Map<String, ValueType> OF_ADDRESSES = ofKinds(Map.of(
            ValueType.FULL_POLICY,
            "address-full-policy",
            ValueType.FLAG,
            "auto-create-addresses auto-create-queues",
            ValueType.SIZE,
            "max-size-bytes page-size-bytes page-limit-bytes max-read-page-bytes",
            ValueType.NUMBER,
            "max-size-messages max-size-bytes-reject-threshold page-limit-messages max-delivery-attempts"
                    + " default-consumer-window-size default-group-buckets"));

    private static Map<String, ValueType> ofKinds(Map<ValueType, String> keys) {
        Map<String, ValueType> kinds = new TreeMap<>();
        keys.forEach((kind, names) -> List.of(names.split(" ")).forEach(name -> kinds.put(name, kind)));
        return kinds;
    }

    private static final Map<String, ValueType> KNOWN = new TreeMap<>(OF_CORE);

    static {
        KNOWN.putAll(OF_ADDRESSES);
        KNOWN.putAll(Map.of(
                USER,
                ValueType.TEXT,
                PASSWORD,
                ValueType.TEXT,
                PROTOCOLS,
                ValueType.PROTOCOLS,
                ACCEPTOR_PARAMETERS,
                ValueType.PARAMETERS));
    }

    private static final Map<String, String> OURS = Map.ofEntries(
            Map.entry(PERSISTENCE_ENABLED, "true"),
            Map.entry(JOURNAL_TYPE, "NIO"),
            Map.entry(PROTOCOLS, "CORE"),
            // As in the configuration that Artemis' own script writes: files of the journal are reused, not created.
            Map.entry("journal-pool-files", "10"),
            // Everyone who can connect may do everything.
            Map.entry(SECURITY_ENABLED, "false"),
            // At Artemis' default, a disk that is 90 % full would silently block producers.
            Map.entry("max-disk-usage", "-1"),
            // An address that the driver has not created is a mistake.
            Map.entry("auto-create-addresses", "false"),
            Map.entry("auto-create-queues", "false"));

    /**
     * Creates settings from those of a driver file.
     *
     * @throws LocalBrokerException if a key is unknown or a value has the wrong format
     */
    static BrokerSettings of(Map<String, String> given) throws LocalBrokerException {
        for (Map.Entry<String, String> setting : new TreeMap<>(given).entrySet()) {
            String key = setting.getKey();
            ValueType kind = KNOWN.get(key);
            if (kind == null) {
                throw new LocalBrokerException(
                        "the local Artemis has no setting '" + key + "'; it has " + String.join(", ", knownKeys()));
            }
            if (!kind.pattern.matcher(setting.getValue()).matches()) {
                throw new LocalBrokerException("the setting '" + key + "' of the local Artemis must be "
                        + kind.description + ", got '" + setting.getValue() + "'");
            }
        }
        Map<String, String> values = new TreeMap<>(OURS);
        values.putAll(given);
        BrokerSettings settings = new BrokerSettings(values);
        if (settings.isSecured() && !values.keySet().containsAll(List.of(USER, PASSWORD))) {
            throw new LocalBrokerException("with '" + SECURITY_ENABLED + "', the local Artemis needs the settings '"
                    + USER + "' and '" + PASSWORD + "' for the login");
        }
        return settings;
    }

    /** Returns these settings, overridden by the given ones. */
    BrokerSettings with(Map<String, String> more) throws LocalBrokerException {
        Map<String, String> both = new TreeMap<>(values);
        both.putAll(more);
        return of(both);
    }

    /** Returns all known keys. */
    static Set<String> knownKeys() {
        return KNOWN.keySet();
    }

    boolean isPersistent() {
        return value(PERSISTENCE_ENABLED).equals("true");
    }

    boolean isSecured() {
        return value(SECURITY_ENABLED).equals("true");
    }

    boolean speaksAmqp() {
        return value(PROTOCOLS).contains("AMQP");
    }

    /** Returns the requested journal type; it matters only if messages are persistent. */
    String journalType() {
        return value(JOURNAL_TYPE);
    }

    /** Returns the value of a key that is given or has a default of ours; otherwise, an empty string. */
    String value(String key) {
        return values.getOrDefault(key, "");
    }

    /**
     * Returns the name of the broker. It has the values of settings that decide whether messages are synced, and that
     * the management does not report: the name is the only text there through which the driver can learn them.
     */
    String brokerName() {
        return "local " + DATASYNC + "=" + syncs(DATASYNC) + " " + LARGE_SYNC + "=" + syncs(LARGE_SYNC);
    }

    private String syncs(String key) {
        return values.getOrDefault(key, "true");
    }

    /** Returns the elements below {@code core}, by name. */
    Map<String, String> ofCore() {
        return only(OF_CORE.keySet());
    }

    /** Returns the elements of the address setting, by name. */
    Map<String, String> ofAddresses() {
        return only(OF_ADDRESSES.keySet());
    }

    private Map<String, String> only(Set<String> keys) {
        Map<String, String> some = new TreeMap<>(values);
        some.keySet().retainAll(keys);
        return some;
    }

    /** Returns the settings to keep with a result: all that are set, except the password. */
    Map<String, String> toKeep() {
        Map<String, String> kept = new TreeMap<>(values);
        kept.remove(PASSWORD);
        return kept;
    }
}
