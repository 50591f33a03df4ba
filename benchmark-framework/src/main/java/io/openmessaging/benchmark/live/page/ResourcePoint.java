package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Mean resource use of broker, harness and machine in a period, or in several consecutive periods. Unknown values are
 * null.
 *
 * @param seconds duration
 * @param brokerCpuPercent processor use of all nodes together; 100 is one processor
 * @param harnessCpuPercent processor use of all workers together
 * @param hostBusyPercent use of all processors of the busiest machine that is watched
 * @param brokerBytes memory of all nodes together
 * @param harnessBytes memory of all workers together
 * @param brokerWrittenBytesPerSec rate at which all nodes together wrote to disks
 */
record ResourcePoint(
        double seconds,
        @Nullable Double brokerCpuPercent,
        @Nullable Double harnessCpuPercent,
        @Nullable Double hostBusyPercent,
        @Nullable Double brokerBytes,
        @Nullable Double harnessBytes,
        @Nullable Double brokerWrittenBytesPerSec) {

    private static final double PERCENT = 100;

    static ResourcePoint of(ResourcePeriod used, double seconds) {
        Double idlePercent = orNull(used.least(Role.HOST, Figure.HOST_IDLE_PERCENT));
        Double residentBytes = orNull(used.sum(Role.BROKER, Figure.RESIDENT_BYTES));
        return new ResourcePoint(
                seconds,
                orNull(used.sum(Role.BROKER, Figure.CPU_CORE_PERCENT)),
                orNull(used.sum(Role.HARNESS, Figure.CPU_CORE_PERCENT)),
                idlePercent == null ? null : PERCENT - idlePercent,
                residentBytes == null ? orNull(used.sum(Role.BROKER, Figure.BROKER_MEMORY_BYTES)) : residentBytes,
                orNull(used.sum(Role.HARNESS, Figure.RESIDENT_BYTES)),
                orNull(used.sum(Role.BROKER, Figure.DISK_WRITTEN_BYTES_PER_SEC)));
    }

    private static @Nullable Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    /** Joins this time and the one that follows. */
    ResourcePoint followedBy(ResourcePoint next) {
        return new ResourcePoint(
                seconds + next.seconds,
                mean(brokerCpuPercent, next, next.brokerCpuPercent),
                mean(harnessCpuPercent, next, next.harnessCpuPercent),
                mean(hostBusyPercent, next, next.hostBusyPercent),
                mean(brokerBytes, next, next.brokerBytes),
                mean(harnessBytes, next, next.harnessBytes),
                mean(brokerWrittenBytesPerSec, next, next.brokerWrittenBytesPerSec));
    }

    private @Nullable Double mean(@Nullable Double mine, ResourcePoint next, @Nullable Double its) {
        if (mine == null || its == null) {
            return mine == null ? its : mine;
        }
        double together = seconds + next.seconds;
        return together == 0 ? its : (mine * seconds + its * next.seconds) / together;
    }
}
