package io.openmessaging.benchmark.config.driver;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A driver file: the driver and its configuration. The framework's own keys are checked when the file is read. The
 * driver's keys, whose record is known only once the driver is loaded, are checked by {@link DriverSettings#bind}.
 *
 * @param path the file, as the user named it
 * @param framework the framework's keys
 * @param driver the driver's part of the file
 * @param settings all keys and values as written, for the result
 */
public record DriverFile(
        Path path, FrameworkPart framework, DriverSettings driver, Map<String, @Nullable Object> settings) {

    private static final Set<String> REQUIRED_KEYS = Set.of("name", "driverClass");

    /** Reads a driver file and checks the framework's part of it. */
    public static DriverFile read(Path path) throws ConfigException {
        return read(path, Mapping.empty());
    }

    /**
     * Reads a driver file, overrides its keys, and checks the framework's part of the result.
     *
     * @param upper the keys that override those of the file; mappings are merged key by key
     */
    public static DriverFile read(Path path, Mapping upper) throws ConfigException {
        Mapping root = over(YamlFile.read(path).root(), upper);
        Map<String, YamlNode> forFramework = new LinkedHashMap<>();
        Map<String, YamlNode> forDriver = new LinkedHashMap<>();
        root.entries().forEach((key, value) -> (isForFramework(key, root) ? forFramework : forDriver).put(key, value));
        FrameworkPart framework = RecordBinder.bind(path, new Mapping(forFramework), FrameworkPart.class, Set.of());
        DriverSettings driver = new DriverSettings(path, framework.driverClass(), new Mapping(forDriver));
        return new DriverFile(path, framework, driver, root.toObject());
    }

    private static Mapping over(Mapping lower, Mapping upper) {
        Map<String, YamlNode> both = new LinkedHashMap<>(lower.entries());
        upper.entries()
                .forEach((key, value) -> both.merge(
                        key,
                        value,
                        (below, above) -> below instanceof Mapping mapping && above instanceof Mapping over
                                ? mapping.with(over)
                                : above));
        return new Mapping(both);
    }

    /**
     * Returns whether a key belongs to the framework. This includes a misspelt key in place of a required one that is
     * absent: the driver would never see it.
     */
    private static boolean isForFramework(String key, Mapping root) {
        return DriverSettings.FRAMEWORK_KEYS.contains(key)
                || KnownKeys.nearest(key, REQUIRED_KEYS)
                        .filter(required -> !root.entries().containsKey(required))
                        .isPresent();
    }

    /** The name of the driver in results. */
    public String name() {
        return framework.name();
    }

    /** The full name of the driver's class. */
    public String driverClass() {
        return framework.driverClass();
    }

    /** Returns how to start a broker for the driver if none answers. */
    public LocalBrokerSettings localBroker() {
        return framework.localBroker();
    }

    /** Returns where the brokers publish their resource use. */
    public MetricsSettings metrics() {
        return framework.metrics();
    }

    /** Returns the limits of brokers and clients. */
    public DriverFileLimits limits() {
        return framework.limits();
    }

    /**
     * Returns a copy with other limits.
     *
     * @param limits the limits, already checked by themselves
     * @throws ConfigException if the limits are inconsistent with the rest of the file
     */
    public DriverFile withLimits(DriverFileLimits limits) throws ConfigException {
        Problems problems = new Problems();
        limits.checkHeap(framework.localBroker(), problems);
        ConfigException.throwIfAny(path, problems);
        FrameworkPart limited = new FrameworkPart(
                framework.name(), framework.driverClass(), framework.localBroker(), framework.metrics(), limits);
        return new DriverFile(path, limited, driver, settings);
    }

    /** The framework's keys. */
    public record FrameworkPart(
            @Default("") String name,
            @Default("") String driverClass,
            @Default("{}") LocalBrokerSettings localBroker,
            @Default("{}") MetricsSettings metrics,
            @Default("{}") DriverFileLimits limits)
            implements Checked {

        private static final int MAX_CLASS_NAME_CHARACTERS = 500;
        private static final String IDENTIFIER = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
        private static final Pattern CLASS_NAME = Pattern.compile(IDENTIFIER + "(?:\\." + IDENTIFIER + ")*");

        @Override
        public void check(Problems problems) {
            problems.require(!name.isBlank(), "name", "must be the name of the driver in results", name);
            problems.printable("name", name);
            problems.require(
                    driverClass.length() <= MAX_CLASS_NAME_CHARACTERS
                            && CLASS_NAME.matcher(driverClass).matches(),
                    "driverClass",
                    "must be the name of a Java class",
                    driverClass);
            limits.checkHeap(localBroker, problems);
        }
    }
}
