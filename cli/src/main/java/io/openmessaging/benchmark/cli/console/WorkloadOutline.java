package io.openmessaging.benchmark.cli.console;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.cli.fault.BrokerFaults;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.SweepPlan;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.result.MessageSizes;
import io.openmessaging.benchmark.result.Quantities;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What a workload does and for how long, as a dry run tells it. */
public final class WorkloadOutline {

    private WorkloadOutline() {}

    /** Describes the load of a workload, line by line. */
    public static void describe(WorkloadFile file, PrintWriter out) {
        Workload workload = file.workload();
        out.printf("  workload  %s%n", file.path());
        out.printf(
                "  topics    %d with %s; for each %s, %s of %s%n",
                workload.topics(),
                Quantities.counted(workload.partitionsPerTopic(), "partition"),
                Quantities.counted(workload.producersPerTopic(), "producer"),
                Quantities.counted(workload.subscriptionsPerTopic(), "subscription"),
                Quantities.counted(workload.consumerPerSubscription(), "consumer"));
        out.printf("  load      %s%n", workload.consumesOnly() ? "none: consumes existing messages" : load(workload));
        workload.faultsInOrder().forEach(fault -> out.printf("  fault     %s%n", BrokerFaults.describe(fault)));
        out.printf("  time      warm-up %s, then %s%n", DurationText.format(workload.warmupTime()), length(workload));
    }

    private static String load(Workload workload) {
        return "%s, %s%s"
                .formatted(
                        words(workload),
                        MessageSizes.of(workload),
                        workload.buildsBacklog() ? ", a backlog of " + workload.consumerBacklogSizeGB() + " GiB" : "");
    }

    private static String length(Workload workload) {
        Optional<String> time = workload.testTime().map(DurationText::format);
        if (workload.messageCount() == null && !workload.consumesOnly()) {
            return time.orElseThrow();
        }
        String count =
                workload.messageCount() == null ? "" : "until " + workload.messageCount() + " messages have arrived";
        String quiet = count.isEmpty() ? "until no more messages arrive" : ", or no more messages arrive";
        return count
                + (workload.consumesOnly() ? quiet : "")
                + time.map(limit -> ", at most " + limit).orElse("");
    }

    /** Returns the minimum time of a run. */
    public static Duration shortest(Workload workload) {
        return shortest(
                workload,
                workload.messageRate() instanceof ProducerRate.Fixed fixed
                        ? OptionalDouble.of(fixed.messagesPerSecond())
                        : OptionalDouble.empty());
    }

    /**
     * Returns the minimum time of a run whose messages are sent at this rate.
     *
     * @param msgPerSec empty if the rate is unknown
     */
    public static Duration shortest(Workload workload, OptionalDouble msgPerSec) {
        return workload.warmupTime().plus(shortestMeasurement(workload, msgPerSec));
    }

    private static Duration shortestMeasurement(Workload workload, OptionalDouble msgPerSec) {
        if (workload.consumesOnly()) {
            return Duration.ZERO;
        }
        Long count = workload.messageCount();
        if (count == null) {
            return workload.testTime().orElseThrow();
        }
        // Rounded, since nobody wants to read the nanoseconds of so many messages.
        Duration sending =
                msgPerSec.isPresent() ? Duration.ofSeconds((long) (count / msgPerSec.getAsDouble())) : Duration.ZERO;
        return workload.testTime().filter(time -> time.compareTo(sending) < 0).orElse(sending);
    }

    private static String words(Workload workload) {
        ProducerRate rate = workload.producerRate();
        if (workload.messageRate() instanceof ProducerRate.Fixed fixed) {
            return fixed + " msg/s";
        }
        SweepPlan sweep = workload.rateSweep();
        if (sweep != null) {
            List<Double> rates = sweep.rates(workload.meanMessageBytes());
            return rates.size() + " rates, each for " + DurationText.format(sweep.stepTime()) + " after "
                    + DurationText.format(sweep.settleTime()) + ": "
                    + rates.stream().map(Quantities::number).collect(Collectors.joining(", "))
                    + " msg/s, up to the first that is not sustained"
                    + (sweep.further() == 0 ? "" : " and " + sweep.further() + " more");
        }
        if (rate instanceof ProducerRate.GivenBy) {
            return workload.schedule().size() + " rates, one after the other";
        }
        if (rate instanceof ProducerRate.Unlimited) {
            return "as fast as the client accepts it";
        }
        Duration longest = workload.searchDuration();
        return "the highest sustainable rate, to be found"
                + (longest == null ? "" : " within " + DurationText.format(longest));
    }
}
