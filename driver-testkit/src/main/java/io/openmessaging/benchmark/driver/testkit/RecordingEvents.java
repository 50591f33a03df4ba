package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.DriverEvents;
import java.util.ArrayList;
import java.util.List;

/** Records driver events. All methods may be called from any thread. */
public final class RecordingEvents implements DriverEvents {

    /**
     * One call of {@link #clientError}.
     *
     * @param kind the argument of the call
     * @param cause the argument of the call
     */
    public record ClientError(String kind, Throwable cause) {}

    private final List<ClientError> clientErrors = new ArrayList<>();
    private final List<Throwable> fatals = new ArrayList<>();
    private final List<String> waits = new ArrayList<>();

    @Override
    public synchronized void clientError(String kind, Throwable cause) {
        clientErrors.add(new ClientError(kind, cause));
    }

    @Override
    public synchronized void fatal(Throwable cause) {
        fatals.add(cause);
    }

    @Override
    public synchronized void waits(String what) {
        waits.add(what);
    }

    /** Returns what calls waited for, in the order reported. */
    public synchronized List<String> waits() {
        return List.copyOf(waits);
    }

    /** Returns the errors that the client survived, in the order reported. */
    public synchronized List<ClientError> clientErrors() {
        return List.copyOf(clientErrors);
    }

    /** Returns the errors that end a run, in the order reported. */
    public synchronized List<Throwable> fatals() {
        return List.copyOf(fatals);
    }
}
