package io.openmessaging.benchmark.broker.guard;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of every broker node on the JVM: sees to it that the node does not outlive its starter, and runs the
 * broker's own main class.
 *
 * <p>The standard input is a pipe whose other end only the starter holds. The system closes it when the starter ends,
 * were it by {@code kill -9}; the node then ends without delay and the broker's folder is removed. A byte read from it
 * releases the node.
 */
public final class NodeGuard {

    private static final int EXIT_CODE = 1;

    /**
     * Removes a folder once its standard input has ended, which it does when the last thread of this JVM is gone.
     * Several nodes may be about it at the same time, and one of them still writing: hence the repetition, for 10 s.
     */
    private static final String REMOVE_AFTERWARDS =
            "cat >/dev/null; n=0; until rm -rf -- \"$1\" || [ $n -ge 50 ]; do n=$((n + 1)); sleep 0.2; done";

    private NodeGuard() {}

    /**
     * Runs the node.
     *
     * @param arguments the broker's folder; the jar of an exporter of figures and that one's own argument, both empty for
     *     none; the broker's main class, and the arguments for that
     */
    public static void main(String[] arguments) throws Throwable {
        String brokerFolder = arguments[0];
        String exporterJar = arguments[1];
        String exporterArgument = arguments[2];
        String mainClass = arguments[3];
        Thread watch = new Thread(() -> endWithStarter(brokerFolder), "starter-watch");
        watch.setDaemon(true);
        watch.start();
        // A main method that fails after it has started threads would otherwise leave a process that does nothing.
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(EXIT_CODE);
        });
        if (!exporterJar.isEmpty()) {
            NodeExporter.start(exporterJar, exporterArgument);
        }
        try {
            Class.forName(mainClass).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(arguments, 4, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void endWithStarter(String brokerFolder) {
        boolean released = false;
        try {
            released = System.in.read() >= 0;
            if (!released) {
                removeAfterwards(brokerFolder);
            }
        } catch (IOException e) {
            System.err.println("the broker's folder stays behind: " + e);
        } finally {
            if (!released) {
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }

    /** Leaves the removal to another process: this one would pull the files from under the feet of its own broker. */
    private static void removeAfterwards(String brokerFolder) throws IOException {
        new ProcessBuilder("/bin/sh", "-c", REMOVE_AFTERWARDS, "remove-folder", brokerFolder)
                .directory(new File("/"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
