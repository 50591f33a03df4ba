package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A driver file: which driver, and its configuration. The framework's own keys are checked when the file is read; the
 * driver's, whose record is known only when the driver is loaded, by {@link #bind}.
 */
public final class DriverFile {

    private static final Set<String> FRAMEWORK_KEYS = Set.of("name", "driverClass", "localBroker");

    private final Path path;
    private final Framework framework;
    private final Mapping driver;
    private final Map<String, @Nullable Object> settings;

    private DriverFile(Path path, Framework framework, Mapping driver, Map<String, @Nullable Object> settings) {
        this.path = path;
        this.framework = framework;
        this.driver = driver;
        this.settings = settings;
    }

    /** Reads a driver file and checks the framework's part of it. */
    public static DriverFile read(Path path) throws ConfigException {
        Mapping root = YamlFile.read(path).root();
        Map<String, YamlNode> forFramework = new LinkedHashMap<>(root.entries());
        Map<String, YamlNode> forDriver = new LinkedHashMap<>(root.entries());
        forFramework.keySet().retainAll(FRAMEWORK_KEYS);
        forDriver.keySet().removeAll(FRAMEWORK_KEYS);
        Problems problems = new Problems();
        Framework framework = RecordBinder.bind(new Mapping(forFramework), Framework.class, problems);
        ConfigException.throwIfAny(path, problems);
        if (framework == null) {
            throw new IllegalStateException("A driver file was refused without a reason: " + path);
        }
        return new DriverFile(path, framework, new Mapping(forDriver), root.toObject());
    }

    /**
     * Binds the driver's part of the file.
     *
     * @param type the driver's configuration record, possibly of another class loader
     * @throws ConfigException with everything that is wrong with that part
     * @throws IllegalArgumentException if the record's own definition is at fault
     */
    public <C extends Record> C bind(Class<C> type) throws ConfigException {
        Problems problems = new Problems();
        C bound = RecordBinder.bind(driver, type, FRAMEWORK_KEYS, problems);
        ConfigException.throwIfAny(path, problems);
        if (bound == null) {
            throw new IllegalStateException("A driver's configuration was refused without a reason: " + path);
        }
        return bound;
    }

    /** The file, as the user named it. */
    public Path path() {
        return path;
    }

    /** What results call the driver. */
    public String name() {
        return framework.name();
    }

    /** The full name of the driver's class. */
    public String driverClass() {
        return framework.driverClass();
    }

    /** How a broker is started for the driver where none answers. */
    public LocalBrokerSettings localBroker() {
        return framework.localBroker();
    }

    /** All keys and values as they are written, for the result. */
    public Map<String, @Nullable Object> settings() {
        return settings;
    }

    /** The framework's keys. */
    public record Framework(String name, String driverClass, LocalBrokerSettings localBroker) implements Checked {
        private static final Pattern CLASS_NAME =
                Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

        public Framework {
            name = name == null ? "" : name;
            driverClass = driverClass == null ? "" : driverClass;
            localBroker = localBroker == null ? new LocalBrokerSettings(1, null) : localBroker;
        }

        @Override
        public void check(Problems problems) {
            problems.require(!name.isBlank(), "name", "must be what results call the driver", name);
            problems.require(
                    CLASS_NAME.matcher(driverClass).matches(),
                    "driverClass",
                    "must be the name of a class",
                    driverClass);
        }
    }
}
