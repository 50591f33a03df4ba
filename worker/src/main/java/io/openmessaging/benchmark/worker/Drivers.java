package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;

/** The drivers that are available to a worker. */
public interface Drivers {

    /**
     * Loads a driver and its configuration, ready to connect.
     *
     * @throws ConfigException if there is no such driver, or it does not accept the configuration
     */
    LoadedDriver<?> load(DriverDescription description) throws ConfigException;
}
