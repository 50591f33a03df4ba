package io.openmessaging.benchmark.cli.process;

import io.openmessaging.benchmark.run.StopSignal;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ctrl-C: the first ends the run cleanly, the second ends the process at once.
 *
 * <p>The JDK has no supported way to handle a signal without exiting; {@code sun.misc.Signal} exists in every JDK. It
 * is used by reflection, since the compiler warns about its name. Without it, the process and its local brokers end at
 * the first signal.
 */
public final class Signals {

    private static final int SIGNAL_EXIT_BASE = 128;

    private Signals() {}

    /**
     * Lets SIGINT and SIGTERM request the end of the run.
     *
     * @param stop receives the request
     */
    public static void install(StopSignal stop) {
        AtomicInteger count = new AtomicInteger();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object onSignal = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        if (method.getName().equals("handle")) {
                            int number = (int) signal.getMethod("getNumber").invoke(args[0]);
                            received(stop, count.incrementAndGet(), number);
                        }
                        return null;
                    });
            for (String name : new String[] {"INT", "TERM"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), onSignal);
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            System.err.println("benchmark: Ctrl-C will end this process at once (" + e + ")");
        }
    }

    private static void received(StopSignal stop, int count, int number) {
        if (count > 1) {
            Runtime.getRuntime().halt(SIGNAL_EXIT_BASE + number);
        }
        System.err.println("\nstopping: " + stop.consequence() + " (Ctrl-C again to exit at once)");
        stop.request();
    }
}
