package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.omb.OmbConfig;
import io.openmessaging.benchmark.omb.OmbDriver;
import io.openmessaging.benchmark.omb.OmbFolder;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds drivers in the folders of the distribution. Each folder below {@code drivers/} holds the jars of one driver, or
 * of drivers that were built for OMB, and has a class loader of its own. The class loader lives as long as the process,
 * so that two driver files of one system share it.
 */
public final class DriverLoader implements Drivers {

    private final Path driversFolder;
    private final Map<Path, InstalledFolder> installed = new HashMap<>();

    /**
     * Creates a loader that has read nothing yet.
     *
     * @param driversFolder contains a folder for each driver
     */
    public DriverLoader(Path driversFolder) {
        this.driversFolder = driversFolder;
    }

    @Override
    public LoadedDriver<?> load(DriverDescription description) throws ConfigException {
        Path file = Path.of(description.file());
        DriverSettings settings = new DriverSettings(
                file,
                description.driverClass(),
                YamlFile.parse(file, description.yaml()).root());
        LoadedDriver<?> loaded = load(settings, description);
        return description.isPointedElsewhere()
                ? loaded.withAddresses(description.addresses(), description.endpoints())
                : loaded;
    }

    /**
     * Loads the driver that a file names and binds its settings to the driver's configuration.
     *
     * @throws ConfigException if there is no such driver, or the driver does not accept the configuration
     */
    public LoadedDriver<?> load(DriverSettings settings) throws ConfigException {
        return load(settings, DriverDescription.of(settings));
    }

    private LoadedDriver<?> load(DriverSettings settings, DriverDescription description) throws ConfigException {
        OmbConfig.Bridge bridge = OmbConfig.bridge(settings);
        InstalledFolder folder = find(settings, bridge.preferred());
        if (folder.omb() != null) {
            return bridged(settings, description, folder.omb());
        }
        Class<?> driverClass = driverClass(settings, folder);
        if (settings.keys().entries().containsKey(OmbConfig.KEY)) {
            throw new ConfigException(
                    settings.file(),
                    List.of(new Problem(
                            OmbConfig.KEY,
                            "must be absent, or have preferred: true and a folder with a driver of OMB: without them, "
                                    + settings.driverClass() + " is the driver in " + folder.path(),
                            null)));
        }
        if (!BenchmarkDriver.class.isAssignableFrom(driverClass)) {
            throw refused(settings, "must be a class that implements " + BenchmarkDriver.class.getName());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(driverClass.getClassLoader());
        try {
            BenchmarkDriver<?> driver =
                    (BenchmarkDriver<?>) driverClass.getConstructor().newInstance();
            return bind(settings, description, driver);
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw refused(settings, "must be a class that can be instantiated without arguments (" + cause + ")");
        } catch (IllegalArgumentException e) {
            throw refused(settings, "must be a class with a configuration that can be read (" + e.getMessage() + ")");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static <C extends Record> LoadedDriver<C> bind(
            DriverSettings settings, DriverDescription description, BenchmarkDriver<C> driver) throws ConfigException {
        return new LoadedDriver<>(description, driver, settings.bind(driver.configType()));
    }

    private static LoadedDriver<OmbConfig> bridged(
            DriverSettings settings, DriverDescription description, OmbFolder folder) throws ConfigException {
        OmbConfig config = OmbConfig.of(settings);
        try {
            OmbDriver driver = folder.driver(settings.driverClass());
            return new LoadedDriver<>(description, driver, config, folder.loader());
        } catch (DriverException e) {
            throw refused(settings, String.valueOf(e.getMessage()));
        }
    }

    private static Class<?> driverClass(DriverSettings settings, InstalledFolder folder) throws ConfigException {
        try {
            return folder.loader().loadClass(settings.driverClass());
        } catch (ClassNotFoundException | LinkageError e) {
            throw refused(settings, "must be a class that can be loaded (" + e + ")");
        }
    }

    /**
     * A folder with drivers.
     *
     * @param omb the folder as one with drivers of OMB; null if it is not
     */
    private record InstalledFolder(
            Path path, ClassLoader loader, @Nullable OmbFolder omb) {

        boolean has(String driverClass) {
            return loader.getResource(driverClass.replace('.', '/') + ".class") != null;
        }
    }

    /** Returns the folder with the driver. The first one with a driver of the harness wins, unless OMB's is preferred. */
    private InstalledFolder find(DriverSettings settings, boolean prefersOmb) throws ConfigException {
        List<InstalledFolder> ofOmb = new ArrayList<>();
        InstalledFolder own = null;
        List<Path> folders = folders(settings);
        for (Path path : folders) {
            InstalledFolder folder = installed(settings, path);
            if (folder.has(settings.driverClass())) {
                if (folder.omb() != null) {
                    ofOmb.add(folder);
                } else if (!prefersOmb) {
                    return folder;
                } else if (own == null) {
                    own = folder;
                }
            }
        }
        if (ofOmb.size() > 1) {
            throw refused(
                    settings,
                    "must be in one folder only, but is in "
                            + ofOmb.stream()
                                    .map(folder -> folder.path().toString())
                                    .collect(Collectors.joining(" and ")));
        }
        if (ofOmb.size() == 1) {
            return ofOmb.get(0);
        }
        if (own != null) {
            return own;
        }
        throw refused(settings, "must be the class of an installed driver; " + available(folders));
    }

    private String available(List<Path> folders) {
        List<String> names = folders.stream()
                .map(folder -> String.valueOf(folder.getFileName()))
                .toList();
        String ofOmb = installed.values().stream()
                .flatMap(folder -> Stream.ofNullable(folder.omb()))
                .map(folder -> describe(folder))
                .sorted()
                .collect(Collectors.joining());
        return "there are drivers for " + names + ofOmb
                + "; put the jars of another driver into their own folder below " + driversFolder;
    }

    private static String describe(OmbFolder folder) {
        List<String> drivers = folder.drivers();
        return "; " + folder.path() + " has OMB's API and "
                + (drivers.isEmpty() ? "no driver" : String.join(", ", drivers));
    }

    /** Returns the names of the classes of OMB's drivers that are installed, by their folder. */
    public Map<Path, List<String>> driversOfOmb() {
        Map<Path, List<String>> found = new TreeMap<>();
        for (Path path : folders()) {
            OmbFolder folder = newFolder(path).omb();
            if (folder != null) {
                found.put(path, folder.drivers());
            }
        }
        return found;
    }

    private InstalledFolder installed(DriverSettings settings, Path folder) throws ConfigException {
        try {
            return installed.computeIfAbsent(folder, DriverLoader::newFolder);
        } catch (UncheckedIOException e) {
            throw refused(settings, "cannot be found: the folder " + folder + " cannot be read");
        }
    }

    private List<Path> folders(DriverSettings settings) throws ConfigException {
        List<Path> folders = folders();
        if (folders.isEmpty()) {
            throw refused(settings, "cannot be loaded: no drivers are installed in " + driversFolder);
        }
        return folders;
    }

    private List<Path> folders() {
        try (Stream<Path> entries = Files.list(driversFolder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            // A missing folder means that there are no drivers.
            return List.of();
        }
    }

    private static InstalledFolder newFolder(Path folder) {
        ClassLoader harness = DriverLoader.class.getClassLoader();
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> jars = entries.filter(entry -> entry.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            DriverClassLoader own = new DriverClassLoader(
                    String.valueOf(folder.getFileName()),
                    jars.stream().map(DriverLoader::url).toArray(URL[]::new),
                    harness);
            if (!OmbFolder.isOne(own)) {
                return new InstalledFolder(folder, own, null);
            }
            own.close();
            OmbFolder omb = new OmbFolder(folder, jars, harness);
            return new InstalledFolder(folder, omb.loader(), omb);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("A path without a URL: " + jar, e);
        }
    }

    private static ConfigException refused(DriverSettings settings, String rule) {
        return new ConfigException(settings.file(), List.of(new Problem("driverClass", rule, settings.driverClass())));
    }

    /**
     * Loads a driver from the jars of its folder, isolated from the harness and from other drivers, since the clients'
     * dependencies conflict. The only classes of the harness that it sees are the driver SPI, slf4j and the annotations
     * of jspecify.
     */
    static final class DriverClassLoader extends URLClassLoader {

        static {
            registerAsParallelCapable();
        }

        DriverClassLoader(String name, URL[] jars, ClassLoader harness) {
            super("driver " + name, jars, new HarnessWindow(harness));
        }

        /** Provides the JDK and those classes of the harness that a driver may see. */
        private static final class HarnessWindow extends ClassLoader {

            static {
                registerAsParallelCapable();
            }

            private static final String SPI_PACKAGE = "io.openmessaging.benchmark.driver.";

            private final ClassLoader harness;

            HarnessWindow(ClassLoader harness) {
                super(ClassLoader.getPlatformClassLoader());
                this.harness = harness;
            }

            @Override
            protected Class<?> findClass(String className) throws ClassNotFoundException {
                if (isShared(className)) {
                    return harness.loadClass(className);
                }
                throw new ClassNotFoundException(className);
            }

            /** Drivers are in packages below that of the SPI: only the classes of the SPI package itself are shared. */
            private static boolean isShared(String className) {
                return className.startsWith("org.slf4j.")
                        || className.startsWith("org.jspecify.")
                        || className.startsWith(SPI_PACKAGE) && className.indexOf('.', SPI_PACKAGE.length()) < 0;
            }
        }
    }
}
