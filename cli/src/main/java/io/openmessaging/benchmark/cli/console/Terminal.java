package io.openmessaging.benchmark.cli.console;

import java.io.Console;

/** Where the output of this process goes. */
public final class Terminal {

    private Terminal() {}

    /**
     * Returns whether the output is a terminal. From Java 22 on there is a console even in a pipe, so it has to be
     * queried.
     */
    public static boolean isOutput() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
