package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.worker.ClientCapacity;
import io.openmessaging.benchmark.worker.DriverLoader;
import io.openmessaging.benchmark.worker.Drivers;
import io.openmessaging.benchmark.worker.LoadedDriver;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A driver file, read and checked, with the driver that it names.
 *
 * @param file what the user wrote
 * @param loaded the driver, bound to the file's settings
 * @param installed where workers in this process find it, too: its classes are to be the same
 */
public record ConfiguredDriver(DriverFile file, LoadedDriver<?> loaded, Drivers installed) {

    /**
     * Loads the driver that a file names.
     *
     * @throws ConfigException if there is no such driver, or the driver does not accept the configuration
     */
    static ConfiguredDriver load(DriverFile file, DriverLoader loader) throws ConfigException {
        return new ConfiguredDriver(file, loader.load(file.driver()), loader);
    }

    /**
     * The same driver, pointed elsewhere.
     *
     * @param endpoints further ways into the same broker, by what is spoken there
     */
    ConfiguredDriver withAddresses(List<String> addresses, Map<String, List<String>> endpoints) {
        return new ConfiguredDriver(file, loaded.withAddresses(addresses, endpoints), installed);
    }

    /** What a workload asks of it that it cannot do, as a line for the user; empty if there is nothing. */
    Optional<String> cannot(WorkloadFile workload) {
        Workload asked = workload.workload();
        List<String> existing = loaded.existingTopics();
        String system = name() + " (" + file.path() + ")";
        if (asked.headers() != null && !loaded.carriesHeaders()) {
            return Optional.of(workload.path() + ": headers: " + system
                    + " does not support message headers: remove the key or use another driver file");
        }
        if (asked.consumesOnly() && existing.isEmpty()) {
            return Optional.of(workload.path() + ": producersPerTopic: 0 consumes what is there, but " + system
                    + " names nothing: add existingTopics: [NAME] to the driver file, if the driver has this key, or use at"
                    + " least 1 producer");
        }
        if (!existing.isEmpty() && asked.topics() > existing.size()) {
            return Optional.of(workload.path() + ": topics: must be at most " + existing.size()
                    + ", the number of existingTopics of " + system + ", got " + asked.topics());
        }
        return Optional.empty();
    }

    /** What a workload's clients need that this process cannot have; empty if there is nothing. */
    Optional<String> lacks(WorkloadFile of) {
        Workload workload = of.workload();
        ClientCapacity clients = new ClientCapacity(
                workload.topics() * workload.producersPerTopic(),
                workload.topics() * workload.subscriptionsPerTopic() * workload.consumerPerSubscription(),
                workload.consumerDelay() != null);
        return clients.lacking(loaded).map(lack -> of.path() + " with " + file.path() + ": " + lack);
    }

    /** What results say of it. */
    RunResult.Driver shown() {
        return new RunResult.Driver(name(), file.driverClass(), loaded.clientVersion(), file.settings());
    }

    /** What results call it. */
    String name() {
        return file.name();
    }
}
