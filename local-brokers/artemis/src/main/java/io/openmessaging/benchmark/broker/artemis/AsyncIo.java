package io.openmessaging.benchmark.broker.artemis;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The two native libraries that a journal of type ASYNCIO needs: Artemis' own, which is unpacked from one of its jars,
 * and Linux' libaio. If one of them is unavailable, Artemis uses NIO instead.
 */
final class AsyncIo {

    private static final String JAR = "activemq-artemis-native-";
    private static final String LIBRARY = "libartemis-native-64.so";
    private static final String LIBRARY_IN_JAR = "lib/linux-x86_64/" + LIBRARY;
    private static final String LIBAIO = "libaio.so.1";

    private static final List<Path> SYSTEM_FOLDERS = List.of(
            Path.of("/lib64"),
            Path.of("/usr/lib64"),
            Path.of("/lib/x86_64-linux-gnu"),
            Path.of("/usr/lib/x86_64-linux-gnu"),
            Path.of("/usr/local/lib"));

    private static final PackageSet PACKAGES = new PackageSet(
            "libaio",
            "libaio",
            List.of("libaio1"),
            10,
            PackageSet.Release.OF_THIS_MACHINE,
            "install " + LIBAIO + ", or point the driver file to a running broker");

    private AsyncIo() {}

    /**
     * Prepares the libraries that are available here: a missing one is reported as progress and shows in the type of
     * the journal that the broker then reports.
     *
     * @param folder the folder into which Artemis' own library is unpacked
     * @return the additional arguments of the node
     */
    static List<String> prepare(List<Path> jars, Path folder, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        if (!isLinuxOnX64()) {
            options.progress().accept("no asynchronous I/O for Artemis here: its library is for Linux on x86-64");
            return List.of();
        }
        unpack(jars, folder);
        return libaio(options).stream().map(Path::toString).toList();
    }

    private static boolean isLinuxOnX64() {
        String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return System.getProperty("os.name", "").equals("Linux")
                && (architecture.equals("amd64") || architecture.equals("x86_64"));
    }

    private static void unpack(List<Path> jars, Path folder) throws LocalBrokerException {
        Path jar = jars.stream()
                .filter(file -> String.valueOf(file.getFileName()).startsWith(JAR))
                .findFirst()
                .orElseThrow(() -> new LocalBrokerException("the jars of Artemis lack " + JAR + "*.jar"));
        try (FileSystem archive = FileSystems.newFileSystem(jar)) {
            Files.copy(archive.getPath(LIBRARY_IN_JAR), folder.resolve(LIBRARY));
        } catch (IOException e) {
            throw new LocalBrokerException("cannot unpack " + LIBRARY_IN_JAR + " from " + jar + ": " + e, e);
        }
    }

    /** Returns the file to load; empty if the system has one, or none is available. */
    private static Optional<Path> libaio(LocalBrokerOptions options) throws InterruptedException {
        if (SYSTEM_FOLDERS.stream().anyMatch(folder -> Files.exists(folder.resolve(LIBAIO)))) {
            return Optional.empty();
        }
        try {
            Path root = PACKAGES.unpacked(options.place().home(), ProgramPath.ofThisMachine(), options.progress())
                    .root();
            try (Stream<Path> files = Files.walk(root)) {
                return files.filter(file -> file.endsWith(LIBAIO)).findFirst();
            }
        } catch (IOException | LocalBrokerException e) {
            options.progress().accept("no asynchronous I/O for Artemis: " + e.getMessage());
            return Optional.empty();
        }
    }
}
