package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.node.NodeMain;
import io.openmessaging.benchmark.program.ProgramPath;
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
 * A node of a broker that runs on the JVM, on the same Java as the harness.
 *
 * @param name unique within the broker, such as {@code kafka-1}; also the name of its folder and its log
 * @param heap smallest and largest heap, in the notation of {@code -Xmx}
 * @param options further options of the JVM
 * @param classPath the jars that the broker needs, see {@link #classPath(List, Class)}
 * @param mainClass the broker's main class
 * @param arguments arguments of the main class
 */
public record JvmNode(
        String name,
        String heap,
        List<String> options,
        List<Path> classPath,
        String mainClass,
        List<String> arguments) {

    /** Variables that would change the broker's JVM without showing in the settings that are kept with a result. */
    private static final Set<String> JVM_VARIABLES =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    /** The variable in which users set JVM options for every node, as {@code JVM_OPTS} does for the harness. */
    private static final String USER_OPTIONS = "BROKER_JVM_OPTS";

    /** Returns the user's own options, separated by spaces; empty if there are none. They are kept with a result. */
    static String userOptions() {
        return Objects.requireNonNullElse(System.getenv(USER_OPTIONS), "").strip();
    }

    /** Returns the jars of a broker followed by the location from which a class of ours was loaded. */
    public static List<Path> classPath(List<Path> jars, Class<?> ours) {
        return Stream.concat(jars.stream(), Stream.of(ProgramPath.ofClass(ours)))
                .toList();
    }

    /**
     * Returns the process of this node; at its end, it is killed at once.
     *
     * @param folder the node's own folder
     * @param exporter the result of {@link Exporters#arguments}, or two empty strings
     */
    NativeNode process(Path folder, List<String> exporter) {
        List<String> command = new ArrayList<>();
        command.add(ProgramPath.ofThisJava("java"));
        command.add("-Xms" + heap);
        command.add("-Xmx" + heap);
        // A node that runs out of memory fails at once, with a line in its log, instead of lingering.
        command.add("-XX:+ExitOnOutOfMemoryError");
        // Omits the file of counters in /tmp: writing to it stalls a JVM now and then, and a kill leaves it behind.
        command.add("-XX:+PerfDisableSharedMem");
        // Native libraries are unpacked there; in the node's folder, they are removed with it.
        command.add("-Djava.io.tmpdir=" + folder.toAbsolutePath());
        command.addAll(options);
        // Last, so that they take precedence.
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
