package io.openmessaging.benchmark.broker.node;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** The main class of every broker node on the JVM: starts the exporter and runs the broker's own main class. */
public final class NodeMain {

    private static final int EXIT_CODE = 1;

    private NodeMain() {}

    /**
     * Runs the node.
     *
     * @param arguments the jar of the exporter and its argument, both empty for none; the broker's main class, and its
     *     arguments
     */
    public static void main(String[] arguments) throws Throwable {
        // Otherwise, a main method that fails after it has started threads would leave a process that does nothing.
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(EXIT_CODE);
        });
        if (!arguments[0].isEmpty()) {
            NodeExporter.start(arguments[0], arguments[1]);
        }
        try {
            Class.forName(arguments[2]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(arguments, 3, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
