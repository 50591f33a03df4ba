package io.openmessaging.benchmark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** These tests send only one signal: a second one would end their JVM. */
class SignalsTest {

    private static Object signal(String name) throws ReflectiveOperationException {
        return Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
    }

    @AfterEach
    void defaultHandlers() throws ReflectiveOperationException {
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object byDefault = handler.getField("SIG_DFL").get(null);
        for (String name : new String[] {"INT", "TERM"}) {
            Class.forName("sun.misc.Signal")
                    .getMethod("handle", Class.forName("sun.misc.Signal"), handler)
                    .invoke(null, signal(name), byDefault);
        }
    }

    /**
     * INT from a terminal takes the same path; its test is end to end, as a JVM in the background may have to ignore
     * it.
     */
    @Test
    void theFirstSignalAsksToStopInGoodOrder() throws Exception {
        StopSignal stop = new StopSignal();
        Signals.install(stop);
        assertThat(stop.requested()).isFalse();

        Class.forName("sun.misc.Signal")
                .getMethod("raise", Class.forName("sun.misc.Signal"))
                .invoke(null, signal("TERM"));

        Patience.until("the signal is handled", stop::requested);
    }
}
