package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.DriverException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the jars of one or more drivers of OMB, such as the {@code lib} folder of an OMB release. It has a
 * class loader of its own, which lives as long as the process. Thread-safe.
 */
public final class OmbFolder {

    /** The name of the packages of OMB's drivers, and of the interfaces that they implement. */
    static final String PACKAGE = "io.openmessaging.benchmark.driver.";

    private static final String CLASS = ".class";

    private final Path folder;
    private final List<Path> jars;
    private final ClassLoader loader;

    /** The objects of drivers that connections use. */
    private final Map<OmbConnection.Use, OmbConnection.Opened> opened = new HashMap<>();

    /**
     * Creates a folder whose jars are not read yet.
     *
     * @param jars all jars of the folder
     * @param harness has the slf4j that the drivers log through
     */
    public OmbFolder(Path folder, List<Path> jars, ClassLoader harness) {
        this.folder = folder;
        this.jars = List.copyOf(jars);
        this.loader = new OmbClassLoader(
                "OMB drivers " + folder.getFileName(),
                jars.stream().map(OmbFolder::url).toArray(URL[]::new),
                harness);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (IOException e) {
            throw new IllegalStateException("A path without a URL: " + jar, e);
        }
    }

    /** The folder, as the installation names it. */
    public Path path() {
        return folder;
    }

    /** The objects of drivers that connections use; they hold its lock while they open and close. */
    Map<OmbConnection.Use, OmbConnection.Opened> opened() {
        return opened;
    }

    /** The class loader of the jars. */
    public ClassLoader loader() {
        return loader;
    }

    /**
     * Loads a driver.
     *
     * @throws DriverException if the class is no driver, needs a class that no jar contains, or implements an API that
     *     cannot be bridged; the message is worded to follow the name of the key {@code driverClass}
     */
    public OmbDriver driver(String className) throws DriverException {
        try {
            Class<?> type = Class.forName(className, false, loader);
            Class<?> api = Class.forName(PACKAGE + "BenchmarkDriver", false, loader);
            if (!api.isAssignableFrom(type)) {
                throw new DriverException("must be a class that implements OMB's BenchmarkDriver;" + available());
            }
            Constructor<?> constructor = type.getConstructor();
            return new OmbDriver(this, OmbApi.in(this), constructor);
        } catch (ClassNotFoundException | NoSuchMethodException | LinkageError e) {
            throw new DriverException("must be a class that can be loaded: " + reason(e), e);
        }
    }

    private String available() {
        List<String> drivers = drivers();
        return drivers.isEmpty()
                ? " no jar in " + folder + " contains one"
                : " " + folder + " has " + String.join(", ", drivers);
    }

    /**
     * Returns the names of all classes in this folder that are drivers, sorted: classes whose name contains {@code
     * Driver} and that implement OMB's interface. Jars that cannot be read are left out.
     */
    public List<String> drivers() {
        TreeSet<String> found = new TreeSet<>();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                file.stream()
                        .map(ZipEntry::getName)
                        .filter(name -> name.endsWith(CLASS) && name.indexOf('$') < 0)
                        .filter(name ->
                                name.substring(name.lastIndexOf('/') + 1).contains("Driver"))
                        .map(name -> name.substring(0, name.length() - CLASS.length())
                                .replace('/', '.'))
                        .filter(this::isDriver)
                        .forEach(found::add);
            } catch (IOException e) {
                // Its classes could not be loaded either, and whoever needs one gets the reason.
            }
        }
        return List.copyOf(found);
    }

    private boolean isDriver(String className) {
        try {
            Class<?> type = Class.forName(className, false, loader);
            return !Modifier.isAbstract(type.getModifiers())
                    && Class.forName(PACKAGE + "BenchmarkDriver", false, loader).isAssignableFrom(type);
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Returns the SHA-256 of each jar in hexadecimal, by its name. */
    Map<String, String> hashes() throws DriverException {
        Map<String, String> hashes = new TreeMap<>();
        for (Path jar : jars) {
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
                    in.transferTo(OutputStream.nullOutputStream());
                }
                hashes.put(String.valueOf(jar.getFileName()), HexFormat.of().formatHex(digest.digest()));
            } catch (IOException | NoSuchAlgorithmException e) {
                throw new DriverException("Could not read the jar " + jar + ": " + e, e);
            }
        }
        return hashes;
    }

    /** Returns the name of the jar that contains a class; empty if it is not known. */
    static Optional<String> jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null
                ? Optional.empty()
                : Optional.of(source.getLocation().getPath().replaceFirst(".*/", ""));
    }

    /** Returns the reason of a failure in a driver's code, as a part of a sentence. */
    String reason(Throwable failure) {
        if (failure instanceof InvocationTargetException thrown && thrown.getCause() != null) {
            return reason(thrown.getCause());
        }
        String missing = missing(failure);
        if (missing != null) {
            return "the class " + missing.replace('/', '.') + " is missing, which "
                    + needing(failure).orElse("a jar") + " needs: put its jar into " + folder
                    + ", on each worker as well";
        }
        String message = failure.getMessage();
        return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    /** Returns the name of a class that no jar contains, if that is the failure. */
    private static @Nullable String missing(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String name = cause.getMessage();
            if ((cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException)
                    && name != null
                    && name.indexOf(' ') < 0) {
                return name;
            }
        }
        return null;
    }

    /** Returns the jar of the code that failed. */
    private Optional<String> needing(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .map(StackTraceElement::getClassName)
                .map(this::loaded)
                .flatMap(Optional::stream)
                .findFirst()
                .flatMap(OmbFolder::jarOf);
    }

    private Optional<Class<?>> loaded(String className) {
        try {
            Class<?> type = Class.forName(className, false, loader);
            return type.getClassLoader() == loader ? Optional.of(type) : Optional.empty();
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }

    /** Shows the JDK and the harness' slf4j to the jars, and nothing of our SPI, whose names are the same as theirs. */
    private static final class OmbClassLoader extends URLClassLoader {

        static {
            registerAsParallelCapable();
        }

        private final ClassLoader harness;

        OmbClassLoader(String name, URL[] jars, ClassLoader harness) {
            super(name, jars, ClassLoader.getPlatformClassLoader());
            this.harness = harness;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.slf4j.")) {
                try {
                    return harness.loadClass(name);
                } catch (ClassNotFoundException e) {
                    // A part of slf4j that the harness does not use: an adapter, which the jars may bring.
                }
            }
            return super.loadClass(name, resolve);
        }
    }
}
