package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;

/** Processes of this machine that belong to a test's folder. */
public final class Processes {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Processes() {}

    /** Returns the processes whose command lines contain a path below the folder. */
    public static List<ProcessHandle> naming(Path folder) {
        return withInCommandLine(folder + "/");
    }

    /**
     * Returns, in addition, the processes whose command lines contain only the folder itself, such as the watcher of a
     * starter.
     */
    public static List<ProcessHandle> mentioning(Path folder) {
        return withInCommandLine(folder.toString());
    }

    private static List<ProcessHandle> withInCommandLine(String text) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(text))
                        .isPresent())
                .toList();
    }

    /** Waits until no process has a path below the folder in its command line, with a limit. */
    public static void awaitNoneNaming(Path folder) {
        soon("end of the processes in " + folder).until(() -> naming(folder).isEmpty());
    }

    /**
     * Waits until exactly {@code count} processes have a path below the folder in their command lines, with a limit.
     * At times there is one more: between fork and exec, the child of a shell has the shell's command line.
     */
    public static void awaitNaming(Path folder, int count) {
        soon(count + " processes in " + folder).until(() -> naming(folder).size() == count);
    }

    /** Returns a wait that checks at once, since the condition is usually already true. */
    private static ConditionFactory soon(String what) {
        return Patience.await(what).pollDelay(Duration.ZERO).pollInterval(INTERVAL);
    }
}
