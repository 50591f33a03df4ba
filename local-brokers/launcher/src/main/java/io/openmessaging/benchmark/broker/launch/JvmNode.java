package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.guard.NodeGuard;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node of a broker that runs on the JVM, on the same one as the harness.
 *
 * @param name unique within the broker, such as {@code kafka-1}; its folder and its log are called so
 * @param heap smallest and largest heap, in the notation of {@code -Xmx}
 * @param options further options of the JVM
 * @param classPath what the broker needs, see {@link #home(Class)} for our own classes
 * @param mainClass where it starts
 * @param arguments given to the main class
 */
public record JvmNode(
        String name,
        String heap,
        List<String> options,
        List<Path> classPath,
        String mainClass,
        List<String> arguments) {

    private static final List<String> NO_EXPORTER = List.of("", "");

    /** The jar or the folder that a class was loaded from. */
    public static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the class path holds a location that is no file", e);
        }
    }

    /**
     * The command line.
     *
     * @param folder the node's own folder
     * @param brokerFolder the folder to be removed when the process that started the node has ended
     * @param exporter what {@link JmxExporter#arguments} says, or nothing
     */
    List<String> command(Path folder, Path brokerFolder, List<String> exporter) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xms" + heap);
        command.add("-Xmx" + heap);
        // A node without memory fails at once, with a line in its log, instead of lingering.
        command.add("-XX:+ExitOnOutOfMemoryError");
        // Without the file of counters in /tmp: writing to it stalls a JVM now and then, and a kill leaves it behind.
        command.add("-XX:+PerfDisableSharedMem");
        // Native libraries are unpacked there; in the node's folder they go when the folder goes.
        command.add("-Djava.io.tmpdir=" + folder.toAbsolutePath());
        command.addAll(options);
        command.add("-cp");
        command.add(Stream.concat(classPath.stream(), Stream.of(home(NodeGuard.class)))
                .map(path -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(":")));
        command.add(NodeGuard.class.getName());
        command.add(brokerFolder.toAbsolutePath().toString());
        command.addAll(exporter.isEmpty() ? NO_EXPORTER : exporter);
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
