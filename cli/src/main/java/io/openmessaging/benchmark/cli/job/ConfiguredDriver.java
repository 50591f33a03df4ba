package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.load.MessageHeader;
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
 * @param file the file of the user
 * @param loaded the driver, bound to the file's settings
 * @param installed source of the driver's classes, shared with workers in this process so that the classes are the same
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
     * Returns the same driver with other addresses.
     *
     * @param endpoints further addresses of the same broker, by protocol
     */
    ConfiguredDriver withAddresses(List<String> addresses, Map<String, List<String>> endpoints) {
        return new ConfiguredDriver(file, loaded.withAddresses(addresses, endpoints), installed);
    }

    /** Returns what a workload requires that the driver cannot do, as a line for the user; empty if nothing. */
    Optional<String> cannot(WorkloadFile workload) {
        Workload asked = workload.workload();
        List<String> existing = loaded.existingTopics();
        String system = name() + " (" + file.path() + ")";
        if (asked.headers() != null && !loaded.carriesHeaders()) {
            return Optional.of(workload.path() + ": headers: " + system
                    + " does not support message headers: remove the key or use another driver file");
        }
        if (asked.consumesOnly() && existing.isEmpty()) {
            return Optional.of(workload.path() + ": producersPerTopic: 0 consumes existing messages, but " + system
                    + " names no topics: add existingTopics: [NAME] to the driver file, if the driver has this key, or use"
                    + " at least 1 producer");
        }
        if (loaded.scratchBytes() > 0 && !asked.consumesOnly()) {
            Optional<String> tooShort = leavesNoRoom(workload, system);
            if (tooShort.isPresent()) {
                return tooShort;
            }
        }
        if (!existing.isEmpty() && asked.topics() > existing.size()) {
            return Optional.of(workload.path() + ": topics: must be at most " + existing.size()
                    + ", the number of existingTopics of " + system + ", got " + asked.topics());
        }
        return Optional.empty();
    }

    /** Returns why the bytes that the driver takes for itself are too many for a workload; empty if they are not. */
    private Optional<String> leavesNoRoom(WorkloadFile workload, String system) {
        Workload asked = workload.workload();
        int scratch = loaded.scratchBytes();
        if (asked.verifyPayloads()) {
            return Optional.of(workload.path() + ": verifyPayloads: cannot be used with " + system
                    + ", which overwrites bytes of each message (scratchBytes: " + scratch + ")");
        }
        int smallest = asked.smallestMessageBytes();
        MessageHeader.Layout layout = asked.headerLayout();
        int producers = asked.topics() * asked.producersPerTopic();
        if (smallest > scratch && MessageHeader.Layout.of(smallest - scratch, producers) == layout) {
            return Optional.empty();
        }
        return Optional.of(workload.path() + ": messageSize: must be at least "
                + (scratch + Math.max(1, layout.bytes()))
                + " with " + system + ", which overwrites the first " + scratch
                + " bytes (scratchBytes), where " + layout.bytes() + " bytes of header need room, got " + smallest);
    }

    /** Returns what a workload's clients need that this process does not have; empty if nothing. */
    Optional<String> lacks(WorkloadFile of) {
        Workload workload = of.workload();
        ClientCapacity clients = new ClientCapacity(
                workload.topics() * workload.producersPerTopic(),
                workload.topics() * workload.subscriptionsPerTopic() * workload.consumerPerSubscription(),
                workload.consumerDelay() != null);
        return clients.lacking(loaded).map(lack -> of.path() + " with " + file.path() + ": " + lack);
    }

    /** Returns the driver's description for results. */
    RunResult.Driver shown() {
        return new RunResult.Driver(name(), file.driverClass(), loaded.clientVersion(), file.settings());
    }

    /** Returns the driver's name in results. */
    String name() {
        return file.name();
    }
}
