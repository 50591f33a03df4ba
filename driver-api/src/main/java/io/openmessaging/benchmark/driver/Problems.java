package io.openmessaging.benchmark.driver;

import java.io.File;
import java.net.URI;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a configuration. Not thread-safe. */
public final class Problems {

    /**
     * One broken rule.
     *
     * @param key the key's path within the file, such as {@code producer.batchingMaxBytes}
     * @param rule what holds for a good value, such as {@code must be at least 1}
     * @param value the value found, or null where there was none
     */
    public record Problem(String key, String rule, @Nullable Object value) {

        /** {@code key: rule, got value}. */
        @Override
        public String toString() {
            return shown(key + ": " + rule + (value == null ? "" : ", got " + quoted(value)));
        }

        private static String quoted(Object value) {
            // A record that has a text of its own is shown by that.
            if (value instanceof Record keys
                    && keys.toString().startsWith(keys.getClass().getSimpleName() + "[")) {
                return ConfigRecords.inYaml(keys);
            }
            return value instanceof CharSequence ? "'" + value + "'" : value.toString();
        }
    }

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");

    private final String prefix;
    private final List<Problem> found;

    /** No problems yet. */
    public Problems() {
        this("", new ArrayList<>());
    }

    private Problems(String prefix, List<Problem> found) {
        this.prefix = prefix;
        this.found = found;
    }

    /** Adds to the same collection, with every key below the given one. */
    public Problems below(String key) {
        return new Problems(prefix + key + ".", found);
    }

    /** Notes a broken rule. */
    public void add(String key, String rule, @Nullable Object value) {
        found.add(new Problem(prefix + key, rule, value));
    }

    /** Notes a broken rule unless the condition holds. */
    public void require(boolean holds, String key, String rule, @Nullable Object value) {
        if (!holds) {
            add(key, rule, value);
        }
    }

    /** Notes an address that is not {@code host:port}: a name, or an address of IPv4 or IPv6. */
    public void address(String key, String address) {
        address(key, address, Address.HOST_AND_PORT);
    }

    /** Notes an address that has another form, with the cause, and without a login. */
    public void address(String key, String address, Address.Form form) {
        Address.problem(address, form).ifPresent(rule -> add(key, rule, Address.withoutLogin(address)));
    }

    /**
     * Notes a name with control characters, such as a line end: it stands in single lines, in tables and on terminals,
     * which do what these characters say.
     */
    public void printable(String key, String name) {
        require(!CONTROL.matcher(name).find(), key, "must have no control characters, such as line ends", name);
    }

    /** A text of a user's as one line of a message has it: control characters are told and not obeyed. */
    public static String shown(String text) {
        return CONTROL.matcher(text).replaceAll(found -> {
            char character = found.group().charAt(0);
            return Matcher.quoteReplacement(
                    character == '\n'
                            ? "\\n"
                            : character == '\t' ? "\\t" : String.format(Locale.ROOT, "\\u%04x", (int) character));
        });
    }

    /** Notes a file that cannot be read; null, for none, is fine. */
    public void readable(String key, @Nullable String file) {
        boolean readable = file == null || new File(file).canRead() && !new File(file).isDirectory();
        require(readable, key, "must be a file that can be read", file);
    }

    /**
     * Notes a class that the driver's class loader does not find, with the folder that its jar belongs in.
     *
     * @param driver a class of the driver's
     */
    public void loadable(String key, String className, Class<?> driver) {
        try {
            Class.forName(className, false, driver.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            add(
                    key,
                    "needs the class " + className
                            + ", which is in no jar of the driver: put its jar, and those that it" + " needs, into "
                            + folder(driver) + ", on each worker as well",
                    null);
        }
    }

    /** Where the driver's jars are. */
    private static String folder(Class<?> driver) {
        CodeSource source = driver.getProtectionDomain().getCodeSource();
        File jar =
                source == null ? null : new File(URI.create(source.getLocation().toString()));
        return jar == null || jar.getParent() == null ? "the driver's folder" : jar.getParent();
    }

    /** Notes names of which one is blank, or there twice; none at all is fine. */
    public void names(String key, List<String> names) {
        boolean differ = names.stream().distinct().count() == names.size();
        require(
                differ && names.stream().noneMatch(String::isBlank),
                key,
                "must be names that differ from each other",
                names);
    }

    /** What was found so far, in the order found. */
    public List<Problem> found() {
        return List.copyOf(found);
    }
}
