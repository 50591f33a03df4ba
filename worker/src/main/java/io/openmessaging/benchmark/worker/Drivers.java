package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;

/** The drivers that a worker has. */
public interface Drivers {

    /**
     * Makes the driver of a description ready to connect.
     *
     * @throws ConfigException if there is no such driver, or it does not accept the configuration
     */
    LoadedDriver<?> load(DriverDescription description) throws ConfigException;
}
