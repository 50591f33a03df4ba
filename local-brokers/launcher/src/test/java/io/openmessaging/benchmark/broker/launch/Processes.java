package io.openmessaging.benchmark.broker.launch;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The processes of this machine, as far as they belong to a test's folder. */
public final class Processes {

    private static final Duration LIMIT = Duration.ofSeconds(30);

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
        await("end of the processes in " + folder)
                .atMost(LIMIT)
                .until(() -> naming(folder).isEmpty());
    }

    /**
     * Waits until there are so many of them, with a limit. At times there is one more: between its fork and its exec, the
     * child of a shell has the command line of the shell.
     */
    public static void awaitNaming(Path folder, int count) {
        await(count + " processes in " + folder)
                .atMost(LIMIT)
                .until(() -> naming(folder).size() == count);
    }
}
