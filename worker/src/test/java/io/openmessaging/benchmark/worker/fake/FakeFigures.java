package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.NodeFigures;
import java.util.Map;

/** A node whose usage is constant; it reports it only to threads with the driver's class loader. */
record FakeFigures(String address) implements NodeFigures {

    @Override
    public Map<String, Double> read() throws DriverException {
        if (Thread.currentThread().getContextClassLoader() != FakeFigures.class.getClassLoader()) {
            throw new DriverException("asked by a thread of another class loader");
        }
        return Map.of("used_memory", 4_000.0, "something_else", 17.0);
    }

    @Override
    public void close() {}
}
