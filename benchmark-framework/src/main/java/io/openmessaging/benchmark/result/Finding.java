package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.measure.Latency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Something that the reader of a result has to know. Rendered in one place, {@link #text()}; {@link #kind()} is for
 * programs.
 */
public sealed interface Finding {

    /** What a finding says about the result. */
    enum Severity {
        /** The figures do not mean what they seem to. */
        INVALIDATES,
        /** The figures stand, but are not what the workload demands. */
        MISSES_SLO,
        /** The figures stand, but something about them is worth knowing. */
        NOTE
    }

    /** See {@link Severity}. */
    default Severity severity() {
        return Severity.INVALIDATES;
    }

    /** A sentence for the reader, with the numbers. */
    String text();

    /** The finding's name for programs, such as {@code TargetRateMissed}. */
    default String kind() {
        return getClass().getSimpleName();
    }

    /** A finding that leaves the figures standing, whatever its numbers. */
    sealed interface Note extends Finding {
        @Override
        default Severity severity() {
            return Severity.NOTE;
        }
    }

    /** Fewer messages were published than the workload asks for. */
    record TargetRateMissed(double targetMsgPerSec, double achievedMsgPerSec) implements Finding {
        @Override
        public String text() {
            return format(
                    "target rate missed: %,.0f msg/s asked for, %,.0f msg/s published (%.1f %%)",
                    targetMsgPerSec, achievedMsgPerSec, 100 * achievedMsgPerSec / targetMsgPerSec);
        }
    }

    /** More messages were published than the workload asks for: a debt from before was made up for. */
    record TargetRateExceeded(double targetMsgPerSec, double achievedMsgPerSec) implements Finding {
        @Override
        public String text() {
            return format(
                    "target rate exceeded: %,.0f msg/s asked for, %,.0f msg/s published (%.1f %%), since messages that were"
                            + " due before the measurement were published in it",
                    targetMsgPerSec, achievedMsgPerSec, 100 * achievedMsgPerSec / targetMsgPerSec);
        }
    }

    /** The search found no rate that the system sustains. */
    record NoSustainableRate(double lowestTriedMsgPerSec) implements Finding {
        @Override
        public String text() {
            return format("no sustainable rate found: even %,.1f msg/s was too much", lowestTriedMsgPerSec);
        }
    }

    /** The system did not get rid of what a rate that was tried had left. */
    record SearchNotDrained(double rateMsgPerSec, long backlogMessages, double seconds) implements Finding {
        @Override
        public String text() {
            return format(
                    "search ended: %,d messages that were sent at %,.1f msg/s had not arrived %.0f s later, so no other rate"
                            + " could be tried",
                    backlogMessages, rateMsgPerSec, seconds);
        }
    }

    /** The knee of a sweep is where the sweep begins or ends, so that it may be elsewhere. */
    record KneeAtEdge(double rateMsgPerSec, boolean atTheEnd) implements Note {
        @Override
        public String text() {
            return atTheEnd
                    ? format(
                            "knee not passed: it is at %,.0f msg/s, the last rate that was gone through, or beyond; raise"
                                    + " rateSweep.to",
                            rateMsgPerSec)
                    : format(
                            "knee perhaps below the sweep: it is at %,.0f msg/s, the lowest rate; lower rateSweep.from",
                            rateMsgPerSec);
        }
    }

    /** The system did not get rid of what a rate had left. */
    record SweepNotDrained(double rateMsgPerSec, long backlogMessages, double seconds, Severity severity)
            implements Finding {
        @Override
        public String text() {
            return format(
                    "sweep ended: %,d messages that were sent at %,.0f msg/s had not arrived %.0f s later, so no other rate"
                            + " could be measured",
                    backlogMessages, rateMsgPerSec, seconds);
        }
    }

    /** Messages were sent long after they should have been. */
    record SendsLate(long delayP99Ns, Severity severity) implements Finding {
        @Override
        public String text() {
            return format(
                    "sends were late: 1 %% of them by more than %.1f ms; latencies from the actual send hide that, those"
                            + " from the intended send (scheduled…) include it",
                    delayP99Ns / 1e6);
        }
    }

    /** Messages were due and unsent when the load ended. */
    record DueMessagesUnsent(long unsent, long longestWaitNs, Severity severity) implements Finding {
        @Override
        public String text() {
            return format(
                    "the end of the schedule was missed: %,d messages were due and not sent when the load ended, and had waited"
                            + " for up to %s; latencies from the intended send (scheduled…) include that",
                    unsent, Quantities.latency(longestWaitNs));
        }
    }

    /** A latency was not shown to be within its bound. */
    record SloMissed(RunResult.SloOutcome outcome) implements Finding {
        @Override
        public Severity severity() {
            return Severity.MISSES_SLO;
        }

        @Override
        public String text() {
            Double valueNs = outcome.valueNs();
            if (valueNs == null) {
                return format("SLO missed: %s was not measured", outcome.key());
            }
            String value = Quantities.latency(valueNs);
            String limit = Quantities.latency(outcome.limitNs());
            return valueNs > outcome.limitNs()
                    ? format("SLO missed: %s was %s, more than %s", outcome.key(), value, limit)
                    : format(
                            "SLO not shown to be kept: %s was %s, but that of %,d samples says nothing: it takes %,d",
                            outcome.key(), value, outcome.samples(), outcome.samplesNeeded());
        }
    }

    /** The harness itself was short of processors. */
    record HarnessCpuBound(double usedCores, double processors) implements Finding {
        @Override
        public String text() {
            return format(
                    "harness saturated: it used %.2f of %s processors; the system under test may be capable of more",
                    usedCores, number(processors));
        }
    }

    /** The harness itself spent its time collecting garbage. */
    record HarnessCollectsGarbage(double share) implements Finding {
        @Override
        public String text() {
            return format(
                    "harness saturated: %.1f %% of the time went into garbage collection; give it more heap (HEAP_OPTS)",
                    100 * share);
        }
    }

    /** The threads that send had no time left. */
    record SendingThreadsBusy(double usedCores, double usableCores) implements Note {
        @Override
        public String text() {
            return format(
                    "sending threads busy: they used %.2f of the %s processors they may use, the client's work in send"
                            + " included; more producers or another machine for the harness may publish more",
                    usedCores, number(usableCores));
        }
    }

    /**
     * The harness itself was held up for longer than what it measures.
     *
     * @param stalledMs for how long at 99.9 % of all moments
     * @param longestMs for how long at most
     * @param collectionMs the longest garbage collection; 0 if that is not known
     * @param latencyP99Ms the p99 of the publish latency
     */
    record HarnessPaused(double stalledMs, double longestMs, double collectionMs, double latencyP99Ms) implements Note {
        @Override
        public String text() {
            return format(
                    "harness paused: 0.1 %% of the time whatever it wanted to do had to wait for %.1f ms or more, up to"
                            + " %.1f ms (longest garbage collection %.0f ms); the p99 of the publish latency is %.1f ms,"
                            + " and latencies beyond that may be the harness' own",
                    stalledMs, longestMs, collectionMs, latencyP99Ms);
        }
    }

    /** The machine was not this run's alone. */
    record ProcessorsStolen(double stealPercent) implements Note {
        @Override
        public String text() {
            return format(
                    "processors stolen: other virtual machines took %.1f %% of this one's time; its figures depend on"
                            + " them",
                    stealPercent);
        }
    }

    /** The machine had hardly any processor time to spare. */
    record HostSaturated(double sparePercent, boolean brokerIsLocal, Severity severity) implements Finding {
        @Override
        public String text() {
            return format(
                    "machine saturated: its processors had %.1f %% of their time to spare; the machine%s may have been"
                            + " measured rather than the system under test",
                    sparePercent, brokerIsLocal ? ", which broker and clients share," : "");
        }
    }

    /** A figure of what the run cost could not be read. */
    record MetricsNotRead(String problem) implements Note {
        @Override
        public String text() {
            return "metrics not read: " + problem;
        }
    }

    /** The clients' own limit was in their way. */
    record ClientsThrottled(double slicesPercent, double cpus) implements Note {
        @Override
        public String text() {
            return format(
                    "clients throttled: in %.0f %% of the slices of 100 ms they had used up their limit of %s processors and"
                            + " had to wait; the latencies include that",
                    slicesPercent, number(cpus));
        }
    }

    /** The broker's limit was what it was limited by. */
    record BrokerThrottled(String name, double slicesPercent, double cpus) implements Note {
        @Override
        public String text() {
            return format(
                    "broker throttled: in %.0f %% of the slices of 100 ms %s had used up its limit of %s processors and had"
                            + " to wait",
                    slicesPercent, name, number(cpus));
        }
    }

    /** The memory that a process needs was at its limit. */
    record MemoryLimitReached(String name, long limitBytes, double heldBytes) implements Note {
        @Override
        public String text() {
            return format(
                    "memory limit reached: %s held up to %.0f of %.0f MiB, the cache of its files not counted",
                    name, heldBytes / Quantities.BYTES_PER_MIB, limitBytes / Quantities.BYTES_PER_MIB);
        }
    }

    /** The memory of a process was at its limit, but only because of the files that the system keeps in it. */
    record FileCacheLimited(String name, long limitBytes) implements Note {
        @Override
        public String text() {
            return format(
                    "file cache limited: the cache of the files of %s filled what its limit of %.0f MiB left; more of its"
                            + " reading and writing goes to the disk",
                    name, limitBytes / Quantities.BYTES_PER_MIB);
        }
    }

    /** Processes were killed because of their limit. */
    record KilledForMemory(String name, long limitBytes, long processes) implements Finding {
        @Override
        public String text() {
            return format(
                    "killed for memory: the kernel killed %d process(es) of %s at the limit of %.0f MiB",
                    processes, name, limitBytes / Quantities.BYTES_PER_MIB);
        }
    }

    /** Clients used more memory than they were to. */
    record ClientsMemoryExceeded(long limitBytes, double residentBytes) implements Note {
        @Override
        public String text() {
            return format(
                    "clients over their memory: this process had up to %.0f MiB in memory, their limit is %.0f MiB",
                    residentBytes / Quantities.BYTES_PER_MIB, limitBytes / Quantities.BYTES_PER_MIB);
        }
    }

    /** The run was ended before a disk was full. */
    record DiskNearlyFull(String folder, long freeBytes, long leastBytes) implements Finding {
        @Override
        public String text() {
            return format(
                    "disk nearly full: %.0f MiB are left on the disk of %s, fewer than %.0f MiB, so the run was ended early;"
                            + " make room or run shorter",
                    freeBytes / Quantities.BYTES_PER_MIB, folder, leastBytes / Quantities.BYTES_PER_MIB);
        }
    }

    private static String number(double value) {
        return Quantities.number(value);
    }

    /** The rate was near the highest that the harness itself is capable of on this machine. */
    record NearHarnessCeiling(double rateMsgPerSec, double ceilingMsgPerSec, Severity severity) implements Finding {
        @Override
        public String text() {
            return format(
                    "near the limit of the harness: %,.0f msg/s is %.0f %% of the %,.0f msg/s that bin/benchmark calibrate"
                            + " found it capable of without a real client; the system under test may be capable of more",
                    rateMsgPerSec, 100 * rateMsgPerSec / ceilingMsgPerSec, ceilingMsgPerSec);
        }
    }

    /** Messages that should have arrived did not. */
    record MessagesLost(String subscription, long lost, long expected, List<String> where) implements Finding {
        @Override
        public String text() {
            return format(
                    "messages lost: %,d of %,d never arrived at subscription %s (%s)",
                    lost, expected, subscription, String.join(", ", where));
        }
    }

    /** Messages had not arrived when the run stopped waiting, and might still have. */
    record MessagesUndelivered(String subscription, long undelivered, long expected) implements Finding {
        @Override
        public String text() {
            return format(
                    "messages undelivered: %,d of %,d had not arrived at subscription %s when the run stopped waiting for"
                            + " them; whether they are lost is not known",
                    undelivered, expected, subscription);
        }
    }

    /** Messages did not arrive as they were sent. */
    record MessagesDamaged(String subscription, long damaged) implements Finding {
        @Override
        public String text() {
            return format(
                    "messages damaged: %,d arrived at subscription %s with other bytes than were sent",
                    damaged, subscription);
        }
    }

    /** Messages did not arrive, at a rate that was too much. */
    record LostBeyondKnee(String subscription, long lost) implements Note {
        @Override
        public String text() {
            return format(
                    "messages missing at a rate that was not sustained: %,d did not arrive at subscription %s; everything that"
                            + " was sent at the rates that were has arrived",
                    lost, subscription);
        }
    }

    /** Messages arrived more than once. */
    record MessagesDuplicated(String subscription, long duplicated) implements Note {
        @Override
        public String text() {
            return format("messages duplicated: %,d arrived again at subscription %s", duplicated, subscription);
        }
    }

    /** Messages arrived after later ones of the same producer and partition. */
    record MessagesOutOfOrder(String subscription, long outOfOrder) implements Note {
        @Override
        public String text() {
            return format(
                    "messages out of order: %,d arrived at subscription %s after a later one of the same producer and"
                            + " partition",
                    outOfOrder, subscription);
        }
    }

    /** Something arrived that this run did not send, or not like that. */
    record UnknownMessages(long count) implements Finding {
        @Override
        public String text() {
            return format("%,d messages arrived that this run did not send, or that were damaged on the way", count);
        }
    }

    /** Consumers did not keep up. */
    record ConsumersBehind(long backlogMessages, String when) implements Finding {
        @Override
        public String text() {
            return format("consumers behind: %,d messages had not arrived %s", backlogMessages, when);
        }
    }

    /** Sends were refused. */
    record SendErrors(long failed, Severity severity) implements Finding {

        /** Errors that nobody expected. */
        public SendErrors(long failed) {
            this(failed, Severity.INVALIDATES);
        }

        @Override
        public String text() {
            return format("%,d messages could not be published", failed);
        }
    }

    /** Sends and clients had errors while rates were tried that the system turned out not to sustain. */
    record ErrorsInSearch(long failed, Map<String, Long> errors) implements Note {
        @Override
        public String text() {
            String kinds = errors.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(error -> format("%s, %,d times", error.getKey(), error.getValue()))
                    .collect(Collectors.joining("; "));
            return format(
                    "errors while the rate was searched for: %,d messages could not be published (%s)", failed, kinds);
        }
    }

    /** Messages got lost while rates were tried that the system turned out not to sustain. */
    record LostInSearch(String subscription, long lost, long expected) implements Note {
        @Override
        public String text() {
            return format(
                    "messages lost while the rate was searched for: %,d of %,d never arrived at subscription %s",
                    lost, expected, subscription);
        }
    }

    /** The client reported errors. */
    record Errors(String kindOfError, long count, Severity severity) implements Finding {

        /** Errors that nobody expected. */
        public Errors(String kindOfError, long count) {
            this(kindOfError, count, Severity.INVALIDATES);
        }

        @Override
        public String text() {
            return format("error, %,d times: %s", count, kindOfError);
        }
    }

    /** The rate changed while it was measured. */
    record NotSteady(double firstHalfMsgPerSec, double secondHalfMsgPerSec) implements Finding {
        @Override
        public String text() {
            return format(
                    "not steady: %,.0f msg/s in the first half of the measurement, %,.0f msg/s in the second",
                    firstHalfMsgPerSec, secondHalfMsgPerSec);
        }
    }

    /** For a while, nothing got through. */
    record LoadStalled(int stalled, int stretches, double seconds, double firstAtSeconds) implements Finding {
        @Override
        public String text() {
            return format(
                    "load stalled: no message was confirmed for %.1f s, in %d of %d periods, first %.1f s after the"
                            + " measurement had begun",
                    seconds, stalled, stretches, firstAtSeconds);
        }
    }

    /** The rate went up and down while it was measured. */
    record RateUneven(
            long outliers, int stretches, double medianMsgPerSec, double lowestMsgPerSec, double highestMsgPerSec)
            implements Finding {
        @Override
        public String text() {
            return format(
                    "not steady: in %d of %d periods the publish rate was more than half off its median of %,.0f msg/s,"
                            + " between %,.0f and %,.0f msg/s",
                    outliers, stretches, medianMsgPerSec, lowestMsgPerSec, highestMsgPerSec);
        }
    }

    /** The rate had a trend while it was measured. */
    record RateDrifts(double change, double tolerated) implements Finding {
        @Override
        public String text() {
            return format(
                    "not steady: the publish rate changed by %.1f %% in the course of the measurement, more than the"
                            + " %.1f %% of warmupUntilSteady",
                    100 * change, 100 * tolerated);
        }
    }

    /** The latency had a trend while it was measured. */
    record LatencyDrifts(double change, double tolerated) implements Note {
        @Override
        public String text() {
            return format(
                    "latency not steady: the median of the publish latency changed by %.1f %% in the course of the"
                            + " measurement, more than the %.1f %% of warmupUntilSteady",
                    100 * change, 100 * tolerated);
        }
    }

    /** The warm-up ended by its time. */
    record WarmUpNotSteady(double seconds, double tolerated) implements Note {
        @Override
        public String text() {
            return format(
                    "warm-up not steady: after %.0f s, the longest it may take, the load still changed by more than"
                            + " %.1f %%",
                    seconds, 100 * tolerated);
        }
    }

    /** What the warm-up had left was measured. */
    record NotSettled(double seconds, long unsentMessages, long backlogMessages) implements Finding {
        @Override
        public String text() {
            return format(
                    "not settled: %.0f s after the warm-up, the longest to wait, %,d messages that were due had not been"
                            + " sent, and %,d had not arrived at the slowest subscription; give it a longer warm-up",
                    seconds, unsentMessages, backlogMessages);
        }
    }

    /** The number of clients did not grow to its end. */
    record StepsEnded(int producers, int consumers, String why) implements Note {
        @Override
        public String text() {
            return format("steps ended with %,d producers and %,d consumers: %s", producers, consumers, why);
        }
    }

    /** A burst was slower than it was to be. */
    record BurstTookLonger(long messages, double targetSeconds, double sendSeconds) implements Note {
        @Override
        public String text() {
            return format(
                    "burst took longer: %,d messages were to be sent within %.1f s and took %.1f s",
                    messages, targetSeconds, sendSeconds);
        }
    }

    /** Latencies below zero. */
    record NegativeLatencies(Latency latency, long count) implements Finding {
        @Override
        public String text() {
            return format(
                    "%,d samples of %s were below zero: the clocks of the hosts disagree", count, latency.label());
        }
    }

    /** Latencies too large to be told apart. */
    record SaturatedLatencies(Latency latency, long count) implements Finding {
        @Override
        public String text() {
            return format("%,d samples of %s were beyond 73 minutes and counted as that", count, latency.label());
        }
    }

    /** The backlog was not drained. */
    record BacklogNotDrained(long backlogMessages) implements Finding {
        @Override
        public String text() {
            return format("the backlog was not drained: %,d messages were left", backlogMessages);
        }
    }

    /** Fewer messages were sent than were to be. */
    record MessageCountMissed(long target, long sent) implements Finding {
        @Override
        public String text() {
            return format("message count missed: %,d asked for, %,d sent in the test duration", target, sent);
        }
    }

    /** The header takes the place of bytes that were to be random. */
    record FewerRandomBytes(double configuredRatio, double ratio, int headerBytes) implements Note {
        @Override
        public String text() {
            return format(
                    "fewer random bytes: %.1f %% of the payloads' bytes are random, not %.1f %%, since the header takes %d"
                            + " bytes of each",
                    100 * ratio, 100 * configuredRatio, headerBytes);
        }
    }

    /** The messages are too small to carry everything that is measured. */
    record SmallMessages(int messageSizeBytes, boolean audited) implements Note {
        @Override
        public String text() {
            return audited
                    ? format(
                            "messages of %d bytes carry no intended send time: scheduledEndToEndLatency is not measured",
                            messageSizeBytes)
                    : format(
                            "messages of %d bytes carry no header: end-to-end latency is not measured, the audit is off",
                            messageSizeBytes);
        }
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
