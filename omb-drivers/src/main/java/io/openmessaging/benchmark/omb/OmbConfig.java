package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The configuration of a driver of OMB.
 *
 * @param omb keys of the bridge
 * @param yaml the file that the driver reads, with secrets
 */
public record OmbConfig(Bridge omb, String yaml) {

    /** The key of a driver file that holds the keys of the bridge. */
    private static final String KEY = "omb";

    /**
     * Keys of the bridge.
     *
     * @param scratchBytes number of bytes at the start of each message that the driver overwrites
     * @param preferred true to use the driver of OMB where a driver of the harness has the same class name
     */
    public record Bridge(
            @Default("0") @Range(from = "0", to = "1_024") int scratchBytes,
            @Default("false") boolean preferred) {}

    /** The part of a driver file that is bound. */
    public record BridgeKeys(@Default("{}") Bridge omb) {}

    /**
     * Reads the keys of the bridge, which any driver file may have.
     *
     * @throws ConfigException with all problems of these keys
     */
    public static Bridge bridge(DriverSettings settings) throws ConfigException {
        Map<String, YamlNode> own = new LinkedHashMap<>(settings.keys().entries());
        own.keySet().retainAll(Set.of(KEY));
        return new DriverSettings(settings.file(), settings.driverClass(), new Mapping(own))
                .bind(BridgeKeys.class)
                .omb();
    }

    /**
     * Returns the configuration in a driver file. References to the environment and to files are resolved.
     *
     * @throws ConfigException with all problems of the file
     */
    public static OmbConfig of(DriverSettings settings) throws ConfigException {
        Mapping file = Mapping.of(Map.of("driverClass", settings.driverClass()))
                .with(settings.resolvedKeys().without(KEY));
        return new OmbConfig(bridge(settings), file.toYaml() + "\n");
    }

    /** The text may contain secrets. */
    @Override
    public String toString() {
        return "OmbConfig[omb=" + omb + "]";
    }
}
