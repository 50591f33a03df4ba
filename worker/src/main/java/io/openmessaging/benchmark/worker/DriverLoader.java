package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Problems.Problem;
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
import java.util.stream.Stream;

/**
 * Finds drivers in the folders of the distribution. Each folder below {@code drivers/} holds the jars of one driver
 * and has a class loader of its own. The class loader lives as long as the process, so that two driver files of one
 * system share it.
 */
public final class DriverLoader implements Drivers {

    private final Path driversFolder;
    private final Map<Path, ClassLoader> loaders = new HashMap<>();

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
        Class<?> driverClass = find(settings);
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

    private Class<?> find(DriverSettings settings) throws ConfigException {
        String resource = settings.driverClass().replace('.', '/') + ".class";
        List<String> folders = new ArrayList<>();
        for (Path folder : folders(settings)) {
            ClassLoader loader = loader(settings, folder);
            folders.add(String.valueOf(folder.getFileName()));
            if (loader.getResource(resource) != null) {
                try {
                    return loader.loadClass(settings.driverClass());
                } catch (ClassNotFoundException | LinkageError e) {
                    throw refused(settings, "must be a class that can be loaded (" + e + ")");
                }
            }
        }
        throw refused(
                settings,
                "must be the class of an installed driver; there are drivers for " + folders
                        + "; put the jars of another driver into their own folder below " + driversFolder);
    }

    private ClassLoader loader(DriverSettings settings, Path folder) throws ConfigException {
        try {
            return loaders.computeIfAbsent(folder, DriverLoader::newLoader);
        } catch (UncheckedIOException e) {
            throw refused(settings, "cannot be found: the folder " + folder + " cannot be read");
        }
    }

    private List<Path> folders(DriverSettings settings) throws ConfigException {
        try (Stream<Path> entries = Files.list(driversFolder)) {
            List<Path> folders = entries.filter(Files::isDirectory).sorted().toList();
            if (!folders.isEmpty()) {
                return folders;
            }
        } catch (IOException e) {
            // A missing folder means that there are no drivers.
        }
        throw refused(settings, "cannot be loaded: no drivers are installed in " + driversFolder);
    }

    private static ClassLoader newLoader(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            URL[] jars = entries.filter(entry -> entry.toString().endsWith(".jar"))
                    .sorted()
                    .map(DriverLoader::url)
                    .toArray(URL[]::new);
            return new DriverClassLoader(
                    String.valueOf(folder.getFileName()), jars, DriverLoader.class.getClassLoader());
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
