package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;

/** The processes of this machine, as far as they belong to a test's folder. */
public final class Processes {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Processes() {}

    /** Those that have the folder, or a file below it, in their command line. */
    public static List<ProcessHandle> naming(Path folder) {
        return withInCommandLine(folder + "/");
    }

    /** Those that have the folder itself in their command line as well, such as what watches a starter. */
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

    /** Waits until there is none of them, with a limit. */
    public static void awaitNoneNaming(Path folder) {
        soon("end of the processes in " + folder).until(() -> naming(folder).isEmpty());
    }

    /**
     * Waits until there are so many of them, with a limit. At times there is one more: between its fork and its exec, the
     * child of a shell has the command line of the shell.
     */
    public static void awaitNaming(Path folder, int count) {
        soon(count + " processes in " + folder).until(() -> naming(folder).size() == count);
    }

    /** Looks at once: mostly it is so already. */
    private static ConditionFactory soon(String what) {
        return Patience.await(what).pollDelay(Duration.ZERO).pollInterval(INTERVAL);
    }
}
