package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.worker.protocol.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A worker whose requests a test sees before they are carried out. */
final class WatchedWorker {

    /** An action before a request. */
    @FunctionalInterface
    interface Event {
        void happen() throws InterruptedException;
    }

    private WatchedWorker() {}

    /**
     * Runs an action before a request.
     *
     * @param request name of a method of {@link Worker}
     */
    static Worker before(Worker worker, String request, Event event) {
        return (Worker) Proxy.newProxyInstance(
                Worker.class.getClassLoader(), new Class<?>[] {Worker.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(request)) {
                        event.happen();
                    }
                    try {
                        return method.invoke(worker, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
