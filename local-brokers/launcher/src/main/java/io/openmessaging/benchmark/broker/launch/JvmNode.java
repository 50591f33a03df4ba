package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.node.NodeMain;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node of a broker that runs on the JVM, on the same one as the harness.
 *
 * @param name unique within the broker, such as {@code kafka-1}; its folder and its log are called so
 * @param heap smallest and largest heap, in the notation of {@code -Xmx}
 * @param options further options of the JVM
 * @param classPath what the broker needs, see {@link #classPath(List, Class)}
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

    /** Would change the broker's JVM behind the back of the settings that are kept with a result. */
    private static final Set<String> JVM_VARIABLES =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    /** Where the user has options for the JVM of every node, as {@code JVM_OPTS} has those for the harness. */
    private static final String USER_OPTIONS = "BROKER_JVM_OPTS";

    /** The user's own options, separated by spaces; empty if there are none. They are kept with a result. */
    static String userOptions() {
        return Objects.requireNonNullElse(System.getenv(USER_OPTIONS), "").strip();
    }

    /** The jars of a broker and, behind them, what a class of ours was loaded from. */
    public static List<Path> classPath(List<Path> jars, Class<?> ours) {
        try {
            Path home = Path.of(
                    ours.getProtectionDomain().getCodeSource().getLocation().toURI());
            return Stream.concat(jars.stream(), Stream.of(home)).toList();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the class path holds a location that is no file", e);
        }
    }

    /**
     * The process that this node is; it is killed when it is to end.
     *
     * @param folder the node's own folder
     * @param exporter what {@link Exporters#arguments} says, or two empty texts
     */
    NativeNode process(Path folder, List<String> exporter) {
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
        // Last, so that they win.
        command.addAll(
                userOptions().isEmpty() ? List.of() : List.of(userOptions().split("\\s+")));
        command.add("-cp");
        command.add(classPath(classPath, NodeMain.class).stream()
                .map(path -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(":")));
        command.add(NodeMain.class.getName());
        command.addAll(exporter);
        command.add(mainClass);
        command.addAll(arguments);
        return new NativeNode(name, command, Map.of(), JVM_VARIABLES, Duration.ZERO);
    }
}
