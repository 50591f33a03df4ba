package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.omb.OmbConfig;
import io.openmessaging.benchmark.omb.OmbFolder;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loads drivers that were built for OMB. No other class refers to the module {@code omb-drivers}, so that an
 * installation without it runs all other drivers.
 */
final class OmbBridge {

    /** Two driver files of one system share the classes of a folder. */
    private final Map<Path, OmbFolder> folders = new HashMap<>();

    private OmbFolder folder(Path path, List<Path> jars) {
        return folders.computeIfAbsent(path, folder -> new OmbFolder(folder, jars, OmbBridge.class.getClassLoader()));
    }

    /** Returns whether a driver file prefers OMB's driver to one of the harness with the same name. */
    boolean isPreferred(DriverSettings settings) throws ConfigException {
        return OmbConfig.bridge(settings).preferred();
    }

    /**
     * Loads the driver that a file names.
     *
     * @throws ConfigException with the problems of the file
     * @throws DriverException if the class cannot be used; the message follows the name of the key {@code driverClass}
     */
    LoadedDriver<OmbConfig> load(DriverSettings settings, DriverDescription description, Path path, List<Path> jars)
            throws ConfigException, DriverException {
        OmbConfig config = OmbConfig.of(settings);
        OmbFolder folder = folder(path, jars);
        return new LoadedDriver<>(description, folder.driver(settings.driverClass()), config, folder.loader());
    }

    /** Returns the names of the classes that are drivers, sorted. */
    List<String> drivers(Path path, List<Path> jars) {
        return folder(path, jars).drivers();
    }
}
