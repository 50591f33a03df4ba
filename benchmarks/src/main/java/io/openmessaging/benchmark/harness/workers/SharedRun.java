package io.openmessaging.benchmark.harness.workers;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.DriverControl;
import io.openmessaging.benchmark.worker.Drivers;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Observes the run that the workers of this process share. Thread-safe. */
final class SharedRun {

    private static final Duration CONTROL_LIMIT = Duration.ofMinutes(1);

    private final Drivers drivers;
    private final PrintStream out;
    private String runId = "";
    private long largestBytes;
    private long firstToldNs;
    private long lastBeganNs;

    SharedRun(Drivers drivers, PrintStream out) {
        this.drivers = drivers;
        this.out = out;
    }

    /**
     * Returns the worker, with its calls observed here.
     *
     * @param clock the worker's, epoch nanoseconds
     */
    Worker observed(Worker worker, LongSupplier clock) {
        return (Worker) Proxy.newProxyInstance(
                Worker.class.getClassLoader(), new Class<?>[] {Worker.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof Worker.Prepare prepare) {
                        prepare(prepare);
                    } else if (arguments != null && arguments[0] instanceof Worker.Start) {
                        told(clock.getAsLong());
                    } else if (arguments != null && arguments[0] instanceof Worker.Stop) {
                        worker.status().load().beganNs().values().forEach(this::began);
                    }
                    try {
                        return method.invoke(worker, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The first worker that receives the call creates the topics, and the others wait for it. */
    private synchronized void prepare(Worker.Prepare request) throws DriverException, InterruptedException {
        RunDescription run = request.run();
        if (!run.runId().equals(runId)) {
            try (DriverControl control = new DriverControl(drivers.load(run.driver()))) {
                control.connect(run.runId(), CONTROL_LIMIT, what -> {});
                control.createTopics(run.topology().topics());
            } catch (Exception e) {
                throw new DriverException("The topics were not created in the workers' process: " + e.getMessage(), e);
            }
            runId = run.runId();
            firstToldNs = 0;
            lastBeganNs = 0;
            largestBytes = 0;
        }
        largestBytes = Math.max(largestBytes, Wire.write(request).length);
        out.println("prepare-bytes " + largestBytes);
    }

    /** Records that a worker received the call to start the run's first load, or a later one. */
    private synchronized void told(long nowNs) {
        firstToldNs = firstToldNs == 0 ? nowNs : firstToldNs;
    }

    private synchronized void began(long beganNs) {
        lastBeganNs = Math.max(lastBeganNs, beganNs);
        out.println("barrier-seconds " + (lastBeganNs - firstToldNs) / 1e9);
    }
}
