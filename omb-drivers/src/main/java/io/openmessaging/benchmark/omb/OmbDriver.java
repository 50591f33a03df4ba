package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import java.lang.reflect.Constructor;
import java.util.List;

/**
 * A driver that was built for OMB. Nothing is known of its system but what a run shows: no addresses, no guarantee, and
 * neither the key nor the partition of a message that was received.
 */
public final class OmbDriver implements BenchmarkDriver<OmbConfig> {

    private final OmbFolder folder;
    private final OmbApi api;
    private final Constructor<?> constructor;

    OmbDriver(OmbFolder folder, OmbApi api, Constructor<?> constructor) {
        this.folder = folder;
        this.api = api;
        this.constructor = constructor;
    }

    @Override
    public Class<OmbConfig> configType() {
        return OmbConfig.class;
    }

    @Override
    public List<String> addresses(OmbConfig config) {
        return List.of();
    }

    /** Leaves the configuration as it is: no key of it is known to hold an address. */
    @Override
    public OmbConfig withAddresses(OmbConfig config, List<String> addresses) {
        return config;
    }

    @Override
    public boolean opaque() {
        return true;
    }

    @Override
    public int scratchBytes(OmbConfig config) {
        return config.omb().scratchBytes();
    }

    @Override
    public String clientVersion() {
        return "OMB driver in "
                + OmbFolder.jarOf(constructor.getDeclaringClass()).orElse("a folder");
    }

    @Override
    public DriverConnection connect(OmbConfig config, DriverContext context)
            throws DriverException, InterruptedException {
        return OmbConnection.open(folder, api, constructor, config, context);
    }
}
