package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.result.MessageSizes;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.run.RunRequest;

/**
 * The constant properties of a run.
 *
 * @param runId unique ID
 * @param workload name of the workload
 * @param driver name of the driver
 * @param client name and version of the client library
 * @param beginMs start of the run, epoch milliseconds
 * @param load the requested load, in words
 * @param plannedFaults number of faults in the workload
 */
record RunHead(
        String runId, String workload, String driver, String client, long beginMs, String load, int plannedFaults) {

    static RunHead of(RunRequest request, long beginMs) {
        Workload workload = request.workload().workload();
        return new RunHead(
                request.runId(),
                workload.name(),
                request.system().shown().name(),
                request.system().shown().clientVersion(),
                beginMs,
                load(workload),
                workload.faultsInOrder().size());
    }

    private static String load(Workload workload) {
        return count(workload.topics(), "topic") + " × " + count(workload.partitionsPerTopic(), "partition") + ", "
                + count(workload.topics() * workload.producersPerTopic(), "producer") + ", "
                + count(
                        workload.topics() * workload.subscriptionsPerTopic() * workload.consumerPerSubscription(),
                        "consumer")
                + ", " + MessageSizes.of(workload) + ", " + rate(workload);
    }

    private static String count(int number, String what) {
        return Quantities.count(number) + " " + what + (number == 1 ? "" : "s");
    }

    private static String rate(Workload workload) {
        if (workload.messageRate() instanceof ProducerRate.Fixed fixed) {
            return Quantities.messageRate(fixed.messagesPerSecond());
        }
        if (workload.rateSweep() != null) {
            return "a sweep of rates";
        }
        if (workload.producerRate() instanceof ProducerRate.GivenBy) {
            return "a schedule of rates";
        }
        return workload.producerRate() instanceof ProducerRate.Unlimited
                ? "as fast as the client accepts them"
                : "search for the highest sustainable rate";
    }
}
