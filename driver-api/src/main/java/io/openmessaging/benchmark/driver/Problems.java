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

/** Collects the problems of a configuration. Not thread-safe. */
public final class Problems {

    /**
     * A broken rule.
     *
     * @param key path of the key within the file, such as {@code producer.batchingMaxBytes}
     * @param rule what a valid value must satisfy, such as {@code must be at least 1}
     * @param value invalid value; null if there was none
     */
    public record Problem(String key, String rule, @Nullable Object value) {

        /** {@code key: rule, got value}. */
        @Override
        public String toString() {
            return shown(key + ": " + rule + (value == null ? "" : ", got " + quoted(value)));
        }

        private static String quoted(Object value) {
            if (value instanceof Record) {
                return ConfigRecords.inYaml(value);
            }
            return value instanceof CharSequence ? "'" + value + "'" : value.toString();
        }
    }

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u2028\u2029]");

    private final String prefix;
    private final List<Problem> found;

    /** Creates an empty collection. */
    public Problems() {
        this("", new ArrayList<>());
    }

    private Problems(String prefix, List<Problem> found) {
        this.prefix = prefix;
        this.found = found;
    }

    /** Returns a view of this collection that puts every key below the given one. */
    public Problems below(String key) {
        return new Problems(prefix + key + ".", found);
    }

    /** Adds a broken rule. */
    public void add(String key, String rule, @Nullable Object value) {
        found.add(new Problem(prefix + key, rule, value));
    }

    /** Adds a broken rule unless the condition holds. */
    public void require(boolean holds, String key, String rule, @Nullable Object value) {
        if (!holds) {
            add(key, rule, value);
        }
    }

    /** Adds a problem unless the address is {@code host:port}, with a name, an IPv4 or an IPv6 address as host. */
    public void address(String key, String address) {
        address(key, address, Address.HOST_AND_PORT);
    }

    /** Adds a problem, with its cause and without a login, unless the address has the given form. */
    public void address(String key, String address, Address.Form form) {
        Address.problem(address, form).ifPresent(rule -> add(key, rule, Address.withoutLogin(address)));
    }

    /**
     * Adds a problem for a name with control characters, such as line ends: names appear in single lines, in tables
     * and on terminals, which would act on these characters.
     */
    public void printable(String key, String name) {
        require(!CONTROL.matcher(name).find(), key, "must not contain control characters, such as line breaks", name);
    }

    /** Returns a user's text as part of a single-line message, with control characters escaped. */
    public static String shown(String text) {
        return CONTROL.matcher(text).replaceAll(found -> {
            char character = found.group().charAt(0);
            return Matcher.quoteReplacement(
                    character == '\n'
                            ? "\\n"
                            : character == '\t' ? "\\t" : String.format(Locale.ROOT, "\\u%04x", (int) character));
        });
    }

    /** Adds a problem for a file that cannot be read; null, for none, is fine. */
    public void readable(String key, @Nullable String file) {
        boolean readable = file == null || new File(file).canRead() && !new File(file).isDirectory();
        require(readable, key, "must be a file that can be read", file);
    }

    /**
     * Adds a problem for a class that the driver's class loader does not find, with the folder where its jar belongs.
     *
     * @param driver a class of the driver
     */
    public void loadable(String key, String className, Class<?> driver) {
        try {
            Class.forName(className, false, driver.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            add(
                    key,
                    "needs the class " + className
                            + ", which no jar of the driver contains: put its jar, and those that it" + " needs, into "
                            + folder(driver) + ", on each worker as well",
                    null);
        }
    }

    /** Returns the folder of the driver's jars. */
    private static String folder(Class<?> driver) {
        CodeSource source = driver.getProtectionDomain().getCodeSource();
        File jar =
                source == null ? null : new File(URI.create(source.getLocation().toString()));
        return jar == null || jar.getParent() == null ? "the driver's folder" : jar.getParent();
    }

    /** Adds a problem if a name is blank or occurs twice; an empty list is fine. */
    public void names(String key, List<String> names) {
        boolean differ = names.stream().distinct().count() == names.size();
        require(differ && names.stream().noneMatch(String::isBlank), key, "must be distinct names", names);
    }

    /** Returns the problems in the order in which they were added. */
    public List<Problem> found() {
        return List.copyOf(found);
    }
}
