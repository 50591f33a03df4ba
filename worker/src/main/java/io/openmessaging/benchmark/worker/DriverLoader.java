package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Misspelling;
import io.openmessaging.benchmark.driver.Problems.Problem;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds drivers in the folders of the distribution. Each folder below {@code drivers/} holds the jars of one driver, or
 * of drivers that were built for OMB, and has a class loader of its own. The class loader lives as long as the process,
 * so that two driver files of one system share it.
 */
public final class DriverLoader implements Drivers {

    /** The key of a driver file that holds the keys of the bridge to drivers of OMB. */
    private static final String OMB_KEY = "omb";

    private static final String CLASS = ".class";

    private static final String KEY = "driverClass";

    /** An interface of OMB's driver API that ours lacks; every driver of OMB has a method that takes it. */
    private static final String OMB_CALLBACK = "io/openmessaging/benchmark/driver/ConsumerCallback";

    private static final String NO_BRIDGE =
            "lib/omb-drivers-*.jar, which this installation does not have: build it with bin/build, or copy the jar from"
                    + " a complete installation";

    private final Path driversFolder;
    private final Map<Path, InstalledFolder> installed = new HashMap<>();

    /** Null in an installation without the bridge, which runs all drivers but those of OMB. */
    private final @Nullable OmbBridge bridge = bridge();

    /**
     * Creates a loader that has read nothing yet.
     *
     * @param driversFolder contains a folder for each driver
     */
    public DriverLoader(Path driversFolder) {
        this.driversFolder = driversFolder;
    }

    private static @Nullable OmbBridge bridge() {
        URL module = DriverLoader.class.getResource("/io/openmessaging/benchmark/omb/OmbFolder" + CLASS);
        return module == null ? null : new OmbBridge();
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

    /** Loads the driver from its folder. The first one with a driver of the harness wins, unless OMB's is preferred. */
    private LoadedDriver<?> load(DriverSettings settings, DriverDescription description) throws ConfigException {
        boolean prefersOmb = hasOmbKey(settings) && bridge != null && bridge.isPreferred(settings);
        List<InstalledFolder> ofOmb = new ArrayList<>();
        InstalledFolder own = null;
        for (Path path : folders(settings)) {
            InstalledFolder folder = installed(settings, path);
            if (folder.has(settings.driverClass())) {
                if (folder.isOfOmb(settings.driverClass())) {
                    ofOmb.add(folder);
                } else if (!prefersOmb) {
                    return ofHarness(settings, description, folder);
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
            return bridged(settings, description, ofOmb.get(0));
        }
        if (own != null) {
            return ofHarness(settings, description, own);
        }
        throw notInstalled(settings);
    }

    private ConfigException notInstalled(DriverSettings settings) {
        String given = settings.driverClass();
        Set<String> known = installed.values().stream()
                .flatMap(folder -> folder.drivers().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        // The packages of all drivers are alike, so only the letters of the class itself tell how many may differ.
        int most = given.substring(given.lastIndexOf('.') + 1).length() / 3;
        String rule = "must be the class of an installed driver";
        return Misspelling.meant(given, known, most)
                .map(meant -> new ConfigException(
                        settings.file(),
                        List.of(new Problem(KEY, rule + ", got '" + given + "', did you mean '" + meant + "'?", null))))
                .orElseGet(() -> refused(settings, rule + "; " + available()));
    }

    private static boolean hasOmbKey(DriverSettings settings) {
        return settings.keys().entries().containsKey(OMB_KEY);
    }

    /** Loads a driver of the harness. */
    private LoadedDriver<?> ofHarness(DriverSettings settings, DriverDescription description, InstalledFolder folder)
            throws ConfigException {
        Class<?> driverClass = driverClass(settings, folder);
        if (hasOmbKey(settings)) {
            String rule = bridge == null
                    ? "must be absent: it needs " + NO_BRIDGE
                    : "must be absent, or have preferred: true and a folder with a driver of OMB: without them, "
                            + settings.driverClass() + " is the driver in " + folder.path();
            throw new ConfigException(settings.file(), List.of(new Problem(OMB_KEY, rule, null)));
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

    private LoadedDriver<?> bridged(DriverSettings settings, DriverDescription description, InstalledFolder folder)
            throws ConfigException {
        Optional<String> obstacle = obstacle(folder);
        if (bridge == null || obstacle.isPresent()) {
            throw refused(
                    settings,
                    "must be the class of a driver that can be used: " + folder.path() + " " + obstacle.orElseThrow());
        }
        try {
            return bridge.load(settings, description, folder.path(), folder.jars());
        } catch (DriverException e) {
            throw refused(settings, String.valueOf(e.getMessage()));
        }
    }

    /** Returns why the drivers of OMB in a folder cannot be used, to follow its name; empty if they can. */
    private Optional<String> obstacle(InstalledFolder folder) {
        if (!folder.hasOmbsApi()) {
            return Optional.of("has a driver that was built for OMB, and not the class "
                    + OMB_CALLBACK.replace('/', '.')
                    + " of OMB's API: copy driver-api-*.jar there, from the lib folder of the same release of OMB, on"
                    + " each worker as well");
        }
        return bridge == null ? Optional.of("has drivers of OMB, which need " + NO_BRIDGE) : Optional.empty();
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
     * @param loader sees the jars as drivers of the harness see them
     * @param hasOmbsApi true if a jar contains OMB's driver API: all drivers in the folder are OMB's
     */
    private record InstalledFolder(Path path, List<Path> jars, URLClassLoader loader, boolean hasOmbsApi) {

        boolean has(String driverClass) {
            return loader.getResource(driverClass.replace('.', '/') + CLASS) != null;
        }

        /** Returns whether a class of the folder is a driver of OMB. */
        boolean isOfOmb(String driverClass) {
            try (InputStream in = loader.getResourceAsStream(driverClass.replace('.', '/') + CLASS)) {
                return hasOmbsApi || (in != null && isBuiltForOmb(in));
            } catch (IOException e) {
                return false;
            }
        }

        /** Returns the names of classes that are drivers by their names; those of a jar that cannot be read are missing. */
        List<String> drivers() {
            List<String> names = new ArrayList<>();
            for (Path jar : jars) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    file.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.endsWith("Driver" + CLASS))
                            .map(name -> name.substring(0, name.length() - CLASS.length())
                                    .replace('/', '.'))
                            .forEach(names::add);
                } catch (IOException e) {
                    continue;
                }
            }
            return names;
        }

        /** Returns whether a jar contains a driver of OMB. */
        boolean holdsDriverOfOmb() {
            return hasOmbsApi || jars.stream().anyMatch(InstalledFolder::hasDriverOfOmb);
        }

        /** A jar that cannot be read has none: whoever needs a class of it gets the reason. */
        private static boolean hasDriverOfOmb(Path jar) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : Collections.list(file.entries())) {
                    if (entry.getName().matches(".*Driver[^/]*\\.class") && isBuiltForOmb(file.getInputStream(entry))) {
                        return true;
                    }
                }
                return false;
            } catch (IOException e) {
                return false;
            }
        }

        private static boolean isBuiltForOmb(InputStream classFile) throws IOException {
            return new String(classFile.readAllBytes(), StandardCharsets.ISO_8859_1).contains(OMB_CALLBACK);
        }
    }

    private String available() {
        List<DriversOfOmb> driversOfOmb = driversOfOmb();
        Set<Path> foldersOfOmb = driversOfOmb.stream().map(DriversOfOmb::folder).collect(Collectors.toSet());
        // OMB's folder may have no jars yet.
        List<String> names = installed.values().stream()
                .filter(folder -> !folder.jars().isEmpty() && !foldersOfOmb.contains(folder.path()))
                .map(folder -> String.valueOf(folder.path().getFileName()))
                .sorted()
                .toList();
        Stream<String> ofOmb = driversOfOmb.stream()
                .map(found -> found.folder() + " "
                        + found.obstacle()
                                .orElse("has OMB's API and "
                                        + (found.classes().isEmpty()
                                                ? "no driver"
                                                : String.join(", ", found.classes()))));
        Stream<String> ofHarness = names.isEmpty() ? Stream.empty() : Stream.of("there are drivers for " + names);
        String found = Stream.concat(ofHarness, ofOmb).collect(Collectors.joining("; "));
        return (found.isEmpty() ? "there are no drivers" : found)
                + "; put the jars of another driver into their own folder below " + driversFolder;
    }

    /**
     * The drivers of OMB in a folder.
     *
     * @param classes names of the classes; empty if they cannot be used
     * @param obstacle reason why they cannot be used, to follow the name of the folder
     */
    public record DriversOfOmb(Path folder, List<String> classes, Optional<String> obstacle) {}

    /** Returns the installed drivers of OMB by their folder, in order, also those that cannot be used. */
    public List<DriversOfOmb> driversOfOmb() {
        List<DriversOfOmb> found = new ArrayList<>();
        for (Path path : folders()) {
            InstalledFolder folder = newFolder(path);
            if (folder.holdsDriverOfOmb()) {
                Optional<String> obstacle = obstacle(folder);
                List<String> classes =
                        obstacle.isPresent() || bridge == null ? List.of() : bridge.drivers(path, folder.jars());
                found.add(new DriversOfOmb(path, classes, obstacle));
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
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> jars = entries.filter(entry -> entry.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            DriverClassLoader loader = new DriverClassLoader(
                    String.valueOf(folder.getFileName()),
                    jars.stream().map(DriverLoader::url).toArray(URL[]::new),
                    DriverLoader.class.getClassLoader());
            return new InstalledFolder(folder, jars, loader, loader.findResource(OMB_CALLBACK + CLASS) != null);
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
        return new ConfigException(settings.file(), List.of(new Problem(KEY, rule, settings.driverClass())));
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
