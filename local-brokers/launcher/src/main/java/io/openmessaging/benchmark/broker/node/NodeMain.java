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
     * @param arguments the jar of an exporter of figures and that one's own argument, both empty for none; the broker's
     *     main class, and the arguments for that
     */
    public static void main(String[] arguments) throws Throwable {
        // A main method that fails after it has started threads would otherwise leave a process that does nothing.
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
