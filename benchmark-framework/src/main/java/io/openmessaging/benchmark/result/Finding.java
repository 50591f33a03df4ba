package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.clock.ClockBreak;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import io.openmessaging.benchmark.metric.Weakness;
import io.openmessaging.benchmark.resources.HostProbe;
import io.openmessaging.benchmark.resources.SamplingMonitor;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A problem or remark that the reader of a result needs to know. This class has a factory method for every kind, so
 * that each sentence stands in one place.
 *
 * @param kind the name for programs, such as {@code TargetRateMissed}
 * @param severity the consequence for the result
 * @param text a sentence for the reader, with the numbers
 */
public record Finding(String kind, Severity severity, String text) {

    /** The consequence of a finding for the result. */
    public enum Severity {
        /** The figures do not mean what they seem to. */
        INVALIDATES,
        /** The figures stand, but are not what the workload demands. */
        MISSES_SLO,
        /** The workload expects this of the system; without that, the finding would invalidate. */
        EXPECTED,
        /** The figures stand, but something about them is worth knowing. */
        NOTE
    }

    private static final double NS_PER_MS = 1e6;

    /** Follows the advice to use a longer warm-up: {@code quick} writes the workload itself. */
    private static final String HOW_TO_WARM_UP = " (warmupDuration; with quick, --minutes)";

    private static final List<String> BROKEN_RUN = SharedDefinitions.texts("findings.yaml", "brokenRun");
    private static final List<String> FULL_MACHINE = SharedDefinitions.texts("findings.yaml", "fullMachine");
    private static final List<String> SHARED_MACHINE = SharedDefinitions.texts("findings.yaml", "sharedMachine");

    /** Returns whether the verdict depends on it. */
    public boolean decidesVerdict() {
        return severity == Severity.INVALIDATES || severity == Severity.MISSES_SLO;
    }

    /** Returns whether this kind of finding tells that a machine had no processor time left. */
    public static boolean isOfFullMachine(String kind) {
        return FULL_MACHINE.contains(kind);
    }

    /** Returns whether this kind of finding tells that others used the machine: a rate found then is not reliable. */
    public static boolean isOfSharedMachine(String kind) {
        return SHARED_MACHINE.contains(kind);
    }

    /**
     * Returns what invalidates first; among its like, what may be the cause of others: something that broke the run,
     * then a machine that was full.
     */
    public static List<Finding> inOrder(List<Finding> found) {
        return found.stream()
                .sorted(Comparator.comparing(Finding::severity)
                        .thenComparing(finding -> !BROKEN_RUN.contains(finding.kind))
                        .thenComparing(finding -> !isOfFullMachine(finding.kind)))
                .toList();
    }

    /** Returns the findings; those of weaknesses that the workload expects do not invalidate. */
    public static List<Finding> expecting(List<Weakness> expected, List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.severity == Severity.INVALIDATES
                                && expected.stream().anyMatch(weakness -> weakness.isShownBy(finding.kind))
                        ? new Finding(finding.kind, Severity.EXPECTED, finding.text)
                        : finding)
                .toList();
    }

    private static Finding of(String kind, Severity severity) {
        return new Finding(kind, severity, "");
    }

    private static Finding invalid(String kind) {
        return of(kind, Severity.INVALIDATES);
    }

    /** Starts a finding that leaves the figures valid, whatever its numbers. */
    private static Finding note(String kind) {
        return of(kind, Severity.NOTE);
    }

    private Finding saying(String pattern, Object... values) {
        return new Finding(kind, severity, String.format(Locale.ROOT, pattern, values));
    }

    /** The run published fewer messages than the workload demands. */
    public static Finding targetRateMissed(double targetMsgPerSec, double achievedMsgPerSec) {
        return invalid("TargetRateMissed")
                .saying(
                        "target rate missed: %,.0f msg/s asked for, %,.0f msg/s published (%.1f %%)",
                        targetMsgPerSec, achievedMsgPerSec, 100 * achievedMsgPerSec / targetMsgPerSec);
    }

    /**
     * The run published more messages than the workload demands: it caught up on an earlier debt, or its clock is wrong.
     *
     * @param clockMoved true if the clock of a worker is known to have moved
     */
    public static Finding targetRateExceeded(double targetMsgPerSec, double achievedMsgPerSec, boolean clockMoved) {
        return invalid("TargetRateExceeded")
                .saying(
                        "target rate exceeded: %,.0f msg/s asked for, %,.0f msg/s published (%.1f %%), since %s",
                        targetMsgPerSec,
                        achievedMsgPerSec,
                        100 * achievedMsgPerSec / targetMsgPerSec,
                        clockMoved
                                ? "a clock moved and made messages due at the wrong time"
                                : "messages that were due before the measurement were published during it");
    }

    /** The search found no rate that the system sustains. */
    public static Finding noSustainableRate(double lowestTriedMsgPerSec, RunResult.@Nullable Breach reason) {
        return invalid("NoSustainableRate")
                .saying(
                        "no sustainable rate found: even %,.1f msg/s was too much%s",
                        lowestTriedMsgPerSec, reason == null ? "" : ", since " + reason.text());
    }

    /** The backlog of a rate that the search tried did not drain, so no other rate could be tried. */
    public static Finding searchNotDrained(double rateMsgPerSec, long backlogMessages, double seconds) {
        return invalid("SearchNotDrained")
                .saying(
                        "search ended: %,d messages that were sent at %,.1f msg/s had not arrived %.0f s later, so no other rate"
                                + " could be tried",
                        backlogMessages, rateMsgPerSec, seconds);
    }

    /** The knee is at the first or the last rate of the sweep, so the true knee may lie outside. */
    public static Finding kneeAtEdge(double rateMsgPerSec, boolean atTheEnd) {
        Finding found = note("KneeAtEdge");
        return atTheEnd
                ? found.saying(
                        "knee not passed: it is at %,.0f msg/s, the last rate that was measured, or beyond; raise"
                                + " rateSweep.to",
                        rateMsgPerSec)
                : found.saying(
                        "knee may be below the sweep: it is at %,.0f msg/s, the lowest rate; lower rateSweep.from",
                        rateMsgPerSec);
    }

    /** The backlog of one rate of a sweep did not drain, so no other rate could be measured. */
    public static Finding sweepNotDrained(
            double rateMsgPerSec, long backlogMessages, double seconds, Severity severity) {
        return of("SweepNotDrained", severity)
                .saying(
                        "sweep ended: %,d messages that were sent at %,.0f msg/s had not arrived %.0f s later, so no other rate"
                                + " could be measured",
                        backlogMessages, rateMsgPerSec, seconds);
    }

    /** Messages were sent long after their intended send times. */
    public static Finding sendsLate(long delayP99Ns, Severity severity) {
        return of("SendsLate", severity)
                .saying(
                        "sends were late: 1 %% of them by more than %s; latencies from the actual send hide that, those"
                                + " from the intended send (scheduled…) include it",
                        Quantities.latency(delayP99Ns));
    }

    /** Messages were due and unsent when the load ended. */
    public static Finding dueMessagesUnsent(long unsent, long longestWaitNs, Severity severity) {
        return of("DueMessagesUnsent", severity)
                .saying(
                        "schedule not completed: %,d messages were due but not sent when the load ended, and had waited"
                                + " for up to %s; latencies from the intended send (scheduled…) include that",
                        unsent, Quantities.latency(longestWaitNs));
    }

    /** The measurement does not show that a latency is within its bound. */
    public static Finding sloMissed(RunResult.SloOutcome outcome) {
        Finding missed = of("SloMissed", Severity.MISSES_SLO);
        Double valueNs = outcome.valueNs();
        if (valueNs == null) {
            return missed.saying("SLO missed: %s was not measured", outcome.key());
        }
        String value = Quantities.latency(valueNs);
        return valueNs > outcome.limitNs()
                ? missed.saying(
                        "SLO missed: %s was %s, more than %s",
                        outcome.key(), value, Quantities.latency(outcome.limitNs()))
                : missed.saying(
                        "SLO not proven: %s was %s, but %,d samples are too few: %,d are needed",
                        outcome.key(), value, outcome.samples(), outcome.samplesNeeded());
    }

    /** The harness itself ran short of processors. */
    public static Finding harnessCpuBound(String name, double usedCores, double processors) {
        return invalid("HarnessCpuBound")
                .saying(
                        "%s saturated: it used %.2f of %s processors; the system under test may be capable of more",
                        name, usedCores, Quantities.number(processors));
    }

    /** The harness itself spent too much time on garbage collection; a note for a client with limits of its own. */
    public static Finding harnessCollectsGarbage(String name, double share, Severity severity) {
        return of("HarnessCollectsGarbage", severity)
                .saying(
                        "%s saturated: %.1f %% of the time went into garbage collection%s",
                        name,
                        100 * share,
                        severity == Severity.NOTE
                                ? ", with the memory that limits.eachClient leaves it"
                                : "; give it more heap (HEAP_OPTS)");
    }

    /** The sending threads had no processor time left. */
    public static Finding sendingThreadsBusy(String worker, double usedCores, double usableCores) {
        return note("SendingThreadsBusy")
                .saying(
                        "sending threads%s busy: they used %.2f of the %s processors they may use, the client's work in send"
                                + " included; more producers or another machine for the harness may publish more",
                        worker.equals(SamplingMonitor.HARNESS) ? "" : " of " + worker,
                        usedCores,
                        Quantities.number(usableCores));
    }

    /**
     * A worker paused for longer than the latencies that it measures.
     *
     * @param worker the worker's name
     * @param stalledMs stall that 0.1 % of all moments reach or exceed
     * @param longestMs longest stall
     * @param collectionMs the longest garbage collection; 0 if unknown
     * @param latencyP99Ms the p99 of the publish latency
     * @param beforeFaults true if the p99 is from before the first fault; latencies during faults may be longer
     */
    public static Finding harnessPaused(
            String worker,
            double stalledMs,
            double longestMs,
            double collectionMs,
            double latencyP99Ms,
            boolean beforeFaults) {
        return note("HarnessPaused")
                .saying(
                        "%s paused: 0.1 %% of the time work had to wait for %s or more, up to %s"
                                + " (longest garbage collection %s); the p99 of the publish latency %s %s,"
                                + " and latencies beyond that may come from the harness itself",
                        worker,
                        Quantities.latency(NS_PER_MS * stalledMs),
                        Quantities.latency(NS_PER_MS * longestMs),
                        Quantities.latency(NS_PER_MS * collectionMs),
                        beforeFaults ? "before the first fault was" : "is",
                        Quantities.latency(NS_PER_MS * latencyP99Ms));
    }

    /** Other virtual machines took processor time from this one. */
    public static Finding processorsStolen(String host, double stealPercent) {
        return note("ProcessorsStolen")
                .saying(
                        "processors stolen%s: other virtual machines took %.1f %% of this one's processor time, which affects"
                                + " its figures",
                        host.equals(HostProbe.NAME) ? "" : " from " + host, stealPercent);
    }

    /** The machine had hardly any processor time to spare. */
    public static Finding hostSaturated(String host, double sparePercent, boolean besideBroker, Severity severity) {
        return of("HostSaturated", severity)
                .saying(
                        "%s saturated: its processors had %.1f %% of their time to spare; the machine%s may have been"
                                + " measured rather than the system under test",
                        host.equals(HostProbe.NAME) ? "machine" : host,
                        sparePercent,
                        besideBroker ? ", which broker and clients share," : "");
    }

    /** Other programs used this machine. */
    public static Finding machineShared(double otherPercent) {
        return note("MachineShared")
                .saying(
                        "machine shared: programs other than harness and brokers used %.0f %% of its processors' time,"
                                + " which the system under test lacked",
                        otherPercent);
    }

    /** Other programs used this machine while a rate was tried, and refused. */
    public static Finding machineSharedInSearch(double otherPercent, double refusedMsgPerSec) {
        return note("MachineShared")
                .saying(
                        "machine shared during the rate search: programs other than harness and brokers used %.0f %% of its"
                                + " processors' time while %s msg/s was refused",
                        otherPercent, Quantities.number(refusedMsgPerSec));
    }

    /** A resource figure could not be read. */
    public static Finding metricsNotRead(String problem) {
        return note("MetricsNotRead").saying("metrics not read: %s", problem);
    }

    /** The clients' own processor limit made them wait. */
    public static Finding clientsThrottled(double slicesPercent, double cpus) {
        return note("ClientsThrottled")
                .saying(
                        "clients throttled: in %.0f %% of the 100 ms slices, they had used up their limit of %s processors and"
                                + " had to wait; the latencies include that",
                        slicesPercent, Quantities.number(cpus));
    }

    /** The processor limit of each producer and each consumer made at least one of them wait. */
    public static Finding eachClientThrottled(String worker, double slicesPercent, double cpus) {
        return note("ClientsThrottled")
                .saying(
                        "clients throttled: in %.0f %% of the 100 ms slices, %s had used up its limit of %s processors and had to"
                                + " wait, more often than any other client; the latencies include that",
                        slicesPercent, worker, Quantities.number(cpus));
    }

    /** The processor limit of a worker's control group made it wait. */
    public static Finding workerThrottled(String worker, double slicesPercent) {
        return note("WorkerThrottled")
                .saying(
                        "%s throttled: in %.0f %% of the 100 ms slices, it had used up the processor time of its control group"
                                + " (such as its container's) and had to wait; the latencies include that",
                        worker, slicesPercent);
    }

    /** The broker's processor limit made it wait. */
    public static Finding brokerThrottled(String name, double slicesPercent, double cpus) {
        return note("BrokerThrottled")
                .saying(
                        "broker throttled: in %.0f %% of the 100 ms slices, %s had used up its limit of %s processors and had"
                                + " to wait",
                        slicesPercent, name, Quantities.number(cpus));
    }

    /** A process reached its memory limit, not counting the cache of its files. */
    public static Finding memoryLimitReached(String name, long limitBytes, double heldBytes) {
        return note("MemoryLimitReached")
                .saying(
                        "memory limit reached: %s held up to %.0f of %.0f MiB, the cache of its files not counted",
                        name, heldBytes / Quantities.BYTES_PER_MIB, limitBytes / Quantities.BYTES_PER_MIB);
    }

    /** A process reached its memory limit, but only because of the cache of its files. */
    public static Finding fileCacheLimited(String name, long limitBytes) {
        return note("FileCacheLimited")
                .saying(
                        "file cache limited: the file cache of %s filled the rest of its limit of %.0f MiB; more of its"
                                + " reads and writes go to the disk",
                        name, limitBytes / Quantities.BYTES_PER_MIB);
    }

    /** The kernel killed processes that reached their memory limit. */
    public static Finding killedForMemory(String name, long limitBytes, long processes) {
        return invalid("KilledForMemory")
                .saying(
                        "killed for memory: %s reached its limit of %.0f MiB; processes that the kernel killed: %d",
                        name, limitBytes / Quantities.BYTES_PER_MIB, processes);
    }

    /** The clients used more memory than their limit. */
    public static Finding clientsMemoryExceeded(long limitBytes, double residentBytes) {
        return note("ClientsMemoryExceeded")
                .saying(
                        "clients over their memory limit: this process held up to %.0f MiB in memory, the limit is %.0f MiB",
                        residentBytes / Quantities.BYTES_PER_MIB, limitBytes / Quantities.BYTES_PER_MIB);
    }

    /** The run ended early because a disk was nearly full. */
    public static Finding diskNearlyFull(String folder, long freeBytes, long leastBytes) {
        return invalid("DiskNearlyFull")
                .saying(
                        "disk nearly full: %.0f MiB are left on the disk of %s, less than %.0f MiB, so the run was ended early;"
                                + " free some space or shorten the run",
                        freeBytes / Quantities.BYTES_PER_MIB, folder, leastBytes / Quantities.BYTES_PER_MIB);
    }

    /** The coordinator reached workers over connections that others can listen to. */
    public static Finding workersOpen(List<String> names) {
        return note("WorkersOpen")
                .saying(
                        "workers without a key: %s reached by plain HTTP; anyone on the network path could read and"
                                + " change everything, these figures included",
                        String.join(", ", names));
    }

    /**
     * A run of a plan went on without workers that an earlier run had lost.
     *
     * @param reasons why each of the missing workers could not be had, with its name
     */
    public static Finding workersMissing(int present, int wanted, List<String> reasons) {
        return note("WorkersMissing")
                .saying(
                        "%d of %d workers, among which all producers and consumers were placed: an earlier run lost a worker"
                                + " that had not returned (%s)",
                        present, wanted, String.join("; ", reasons));
    }

    /** A worker was lost, which ended the load. */
    public static Finding workerLost(String sentence) {
        return invalid("WorkerLost")
                .saying("%s; the load was ended, and anything that the worker had not reported is in doubt", sentence);
    }

    /** A node of a broker that was started for the run exited unexpectedly, and the other nodes continued. */
    public static Finding brokerNodeEnded(String sentence) {
        return invalid("BrokerNodeEnded").saying("%s; after that, a smaller system was measured", sentence);
    }

    /** The rate was near the highest that the harness itself reaches on this machine. */
    public static Finding nearHarnessCeiling(
            String worker, double rateMsgPerSec, double ceilingMsgPerSec, Severity severity) {
        return of("NearHarnessCeiling", severity)
                .saying(
                        "near the limit of %s: %,.0f msg/s is %.0f %% of the %,.0f msg/s that bin/benchmark calibrate"
                                + " found it capable of without a real client; the system under test may be capable of more",
                        worker.equals(SamplingMonitor.HARNESS) ? "the harness" : worker,
                        rateMsgPerSec,
                        100 * rateMsgPerSec / ceilingMsgPerSec,
                        ceilingMsgPerSec);
    }

    /** Messages that should have arrived did not. */
    public static Finding messagesLost(String subscription, long lost, long expected, List<String> where) {
        return invalid("MessagesLost")
                .saying(
                        "messages lost: %,d of %,d never arrived at subscription %s (%s)",
                        lost, expected, subscription, String.join(", ", where));
    }

    /** Messages were lost, and without an audit only their number is known. */
    public static Finding lostByCount(String subscription, long missing, long expected) {
        return invalid("MessagesLost")
                .saying(
                        "messages lost: at least %,d of %,d never arrived at subscription %s, judged by count alone: without an"
                                + " audit, duplicates hide lost messages",
                        missing, expected, subscription);
    }

    /** More messages arrived than were sent; without an audit only their numbers are known. */
    public static Finding moreThanSent(String subscription, long received, long sent) {
        return invalid("MoreThanSent")
                .saying(
                        "more than sent: %,d messages arrived at subscription %s and %,d were sent; %,d or more are duplicates"
                                + " or come from elsewhere, and without an audit they may hide lost messages",
                        received, subscription, sent, received - sent);
    }

    /** A planned fault did not take effect, or was not undone. */
    public static Finding faultNotDone(String what, String problem) {
        return invalid("FaultNotDone").saying("fault not carried out as planned: %s: %s", what, problem);
    }

    /** The system lost acknowledged messages during faults. */
    public static Finding acknowledgedLost(long lost, List<String> where, Severity severity) {
        return of("AcknowledgedLost", severity)
                .saying(
                        "acknowledged messages lost: %,d (%s)%s",
                        lost,
                        String.join(", ", where),
                        severity == Severity.MISSES_SLO ? ", more than slo.acknowledgedLost allows" : "");
    }

    /** Messages did not reach a subscription during faults, but the system still has them. */
    public static Finding notDelivered(long found) {
        return note("NotDelivered")
                .saying(
                        "messages not delivered: %,d never arrived at a subscription, but are not lost: a fresh consumer found them",
                        found);
    }

    /** A fresh consumer could not read the topics to look for missing messages. */
    public static Finding freshReadFailed(String reason) {
        return note("FreshReadFailed")
                .saying(
                        "lost and undelivered messages cannot be told apart: the topics could not be read again: %s",
                        reason);
    }

    /** A fresh consumer met errors while it looked for missing messages. */
    public static Finding freshReadDisturbed(String problem) {
        return note("FreshReadDisturbed")
                .saying(
                        "a fresh consumer met an error, so messages that it did not find may still be there: %s",
                        problem);
    }

    /** A fresh consumer ran out of time while it looked for missing messages. */
    public static Finding freshReadCut(long seconds, long left) {
        return note("FreshReadCut")
                .saying(
                        "a fresh consumer was still receiving messages when it was stopped after %d s: for %,d messages, it is"
                                + " unknown whether the system has them",
                        seconds, left);
    }

    /** The system was down for longer than the workload allows. */
    public static Finding downTooLong(double seconds, double limitSeconds) {
        return of("DownTooLong", Severity.MISSES_SLO)
                .saying(
                        "down for too long: %.2f s without any acknowledgement while messages were due, slo.downSeconds is %.2f s",
                        seconds, limitSeconds);
    }

    /** Messages had not arrived when the run stopped waiting, but might still arrive. */
    public static Finding messagesUndelivered(String subscription, long undelivered, long expected) {
        return invalid("MessagesUndelivered")
                .saying(
                        "messages undelivered: %,d of %,d had not arrived at subscription %s when the run stopped waiting for"
                                + " them; whether they are lost is not known",
                        undelivered, expected, subscription);
    }

    /** Messages arrived with other bytes than those sent. */
    public static Finding messagesDamaged(String subscription, long damaged) {
        return invalid("MessagesDamaged")
                .saying(
                        "messages damaged: %,d arrived at subscription %s with bytes other than those sent",
                        damaged, subscription);
    }

    /** Messages did not arrive at a rate that was not sustained. */
    public static Finding lostBeyondKnee(String subscription, long lost) {
        return note("LostBeyondKnee")
                .saying(
                        "messages missing at a rate that was not sustained: %,d did not arrive at subscription %s; everything"
                                + " sent at sustained rates arrived",
                        lost, subscription);
    }

    /** Messages arrived more than once. */
    public static Finding messagesDuplicated(String subscription, long duplicated) {
        return note("MessagesDuplicated")
                .saying("messages duplicated: %,d arrived again at subscription %s", duplicated, subscription);
    }

    /** Messages arrived after later ones of the same producer and partition. */
    public static Finding messagesOutOfOrder(String subscription, long outOfOrder) {
        return note("MessagesOutOfOrder")
                .saying(
                        "messages out of order: %,d arrived at subscription %s after a later one of the same producer and"
                                + " partition",
                        outOfOrder, subscription);
    }

    /** The order of messages was not judged, because the driver does not tell which partition a message came from. */
    public static Finding orderNotJudged() {
        return note("OrderNotJudged")
                .saying("order not judged: the driver does not tell which partition a message came from");
    }

    /** Messages arrived that this run did not send, or that were damaged on the way. */
    public static Finding unknownMessages(long count) {
        return invalid("UnknownMessages")
                .saying("%,d messages arrived that this run did not send, or that were damaged on the way", count);
    }

    /** Consumers did not keep up. */
    public static Finding consumersBehind(long backlogMessages, String when) {
        return invalid("ConsumersBehind")
                .saying("consumers behind: %,d messages had not arrived %s", backlogMessages, when);
    }

    /** Consumers did not keep up with the load of the measurement. */
    public static Finding backlogGrew(int subscription, long backlogMessages, long grownMessages) {
        return consumersBehind(
                backlogMessages,
                String.format(
                        Locale.ROOT,
                        "at subscription %d when the load ended, and its backlog grew by %,d during the measurement",
                        subscription,
                        grownMessages));
    }

    /** The system confirmed fewer messages than were sent, although the rates did not show it. */
    public static Finding confirmationsBehind(long leftMessages, long grownMessages) {
        return invalid("ConfirmationsBehind")
                .saying(
                        "confirmations behind: %,d messages had not been confirmed when the load ended, and their number grew"
                                + " by %,d during the measurement",
                        leftMessages, grownMessages);
    }

    /** Consumers received messages from before the measurement during it. */
    public static Finding backlogDrained(int subscription, long messages) {
        return invalid("BacklogDrained")
                .saying(
                        "backlog drained: %,d messages from before the measurement arrived at subscription %d during it, so its"
                                + " rate and latencies are not those of the load; use a longer warm-up%s",
                        messages, subscription, HOW_TO_WARM_UP);
    }

    /**
     * Different consumers of a subscription received the same messages, so its backlog was larger than could be known.
     */
    public static Finding backlogUnknown(int subscription, long messages) {
        return invalid("BacklogUnknown")
                .saying(
                        "backlog unknown: %,d messages arrived twice at subscription %d, at different consumers, which was"
                                + " known only after the measurement; its backlog was up to that much larger, and may have grown",
                        messages, subscription);
    }

    /** Messages could not be published. */
    public static Finding sendErrors(long failed, Severity severity) {
        return of("SendErrors", severity).saying("%,d messages could not be published", failed);
    }

    /** Send errors without an expected cause. */
    public static Finding sendErrors(long failed) {
        return sendErrors(failed, Severity.INVALIDATES);
    }

    /** Sends or clients failed while the search tried rates that the system did not sustain. */
    public static Finding errorsInSearch(long failed, Map<String, Long> errors) {
        String kinds = errors.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(error -> String.format(Locale.ROOT, "%s, %,d times", error.getKey(), error.getValue()))
                .collect(Collectors.joining("; "));
        return note("ErrorsInSearch")
                .saying("errors during the rate search: %,d messages could not be published (%s)", failed, kinds);
    }

    /** Messages were lost while the search tried rates that the system did not sustain. */
    public static Finding lostInSearch(String subscription, long lost, long expected) {
        return note("LostInSearch")
                .saying(
                        "messages lost during the rate search: %,d of %,d never arrived at subscription %s",
                        lost, expected, subscription);
    }

    /** The client reported errors. */
    public static Finding errors(String kindOfError, long count, Severity severity) {
        return of("Errors", severity).saying("error, %,d times: %s", count, kindOfError);
    }

    /** Client errors without an expected cause. */
    public static Finding errors(String kindOfError, long count) {
        return errors(kindOfError, count, Severity.INVALIDATES);
    }

    /** The rate changed during the measurement. */
    public static Finding notSteady(double firstHalfMsgPerSec, double secondHalfMsgPerSec) {
        return invalid("NotSteady")
                .saying(
                        "not steady: %,.0f msg/s in the first half of the measurement, %,.0f msg/s in the second",
                        firstHalfMsgPerSec, secondHalfMsgPerSec);
    }

    /** Messages from a cold start were published faster and faster. */
    public static Finding coldStart(double firstHalfMsgPerSec, double secondHalfMsgPerSec) {
        return note("ColdStart")
                .saying(
                        "still warming up: %,.0f msg/s in the first half of the measurement, %,.0f msg/s in the second",
                        firstHalfMsgPerSec, secondHalfMsgPerSec);
    }

    /** For a while, no message was confirmed. */
    public static Finding loadStalled(int stalled, int stretches, double seconds, double firstAtSeconds) {
        return invalid("LoadStalled")
                .saying(
                        "load stalled: no message was confirmed for %.1f s, in %d of %d periods, first %.1f s after the"
                                + " start of the measurement",
                        seconds, stalled, stretches, firstAtSeconds);
    }

    /** The rate fluctuated during the measurement. */
    public static Finding rateUneven(
            long outliers, int stretches, double medianMsgPerSec, double lowestMsgPerSec, double highestMsgPerSec) {
        return invalid("RateUneven")
                .saying(
                        "not steady: in %d of %d periods the publish rate differed by more than half from its median of"
                                + " %,.0f msg/s, between %,.0f and %,.0f msg/s",
                        outliers, stretches, medianMsgPerSec, lowestMsgPerSec, highestMsgPerSec);
    }

    /** The rate had a trend during the measurement. */
    public static Finding rateDrifts(double change, double tolerated) {
        return invalid("RateDrifts")
                .saying(
                        "not steady: the publish rate changed by %.1f %% in the course of the measurement, more than the"
                                + " %.1f %% of warmupUntilSteady",
                        100 * change, 100 * tolerated);
    }

    /** The latency had a trend during the measurement. */
    public static Finding latencyDrifts(double change, double tolerated) {
        return note("LatencyDrifts")
                .saying(
                        "latency not steady: the median of the publish latency changed by %.1f %% in the course of the"
                                + " measurement, more than the %.1f %% of warmupUntilSteady",
                        100 * change, 100 * tolerated);
    }

    /** The warm-up reached its time limit before the load was steady. */
    public static Finding warmUpNotSteady(double seconds, double tolerated) {
        return note("WarmUpNotSteady")
                .saying(
                        "warm-up not steady: after %.0f s, the longest allowed, the load still changed by more than"
                                + " %.1f %%",
                        seconds, 100 * tolerated);
    }

    /** The measurement started before the messages left from the warm-up were sent and received. */
    public static Finding notSettled(double seconds, long unsentMessages, long backlogMessages) {
        String unsent = Quantities.counted(unsentMessages, "message") + " that were due had not been sent";
        String behind = Quantities.counted(backlogMessages, "message") + " had not arrived at the slowest subscription";
        String left = Stream.of(unsentMessages > 0 ? unsent : "", backlogMessages > 0 ? behind : "")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", and "));
        return invalid("NotSettled")
                .saying(
                        "not settled: %.0f s after the warm-up, the longest wait, %s; use a lower rate or a longer"
                                + " warm-up%s",
                        seconds, left.isEmpty() ? "messages were still on their way" : left, HOW_TO_WARM_UP);
    }

    /** The steps ended before the highest number of clients. */
    public static Finding stepsEnded(int producers, int consumers, String why) {
        return note("StepsEnded")
                .saying(
                        "steps ended with %s and %s: %s",
                        Quantities.counted(producers, "producer"), Quantities.counted(consumers, "consumer"), why);
    }

    /** A burst took longer than planned. */
    public static Finding burstTookLonger(long messages, double targetSeconds, double sendSeconds) {
        return note("BurstTookLonger")
                .saying(
                        "burst took longer: %,d messages were to be sent within %.1f s but took %.1f s",
                        messages, targetSeconds, sendSeconds);
    }

    /** Latencies below zero were measured. */
    public static Finding negativeLatencies(Latency latency, long count) {
        return invalid("NegativeLatencies")
                .saying("%,d samples of %s were below zero: the clocks of the hosts disagree", count, latency.label());
    }

    /** Messages arrived before they were sent, beyond what their workers' clock bounds allow. */
    public static Finding impossibleLatencies(long count) {
        return invalid("ImpossibleLatencies")
                .saying(
                        "%,d messages arrived before they were sent, by more than the clocks of their workers can differ: a"
                                + " clock is outside its proven bounds",
                        count);
    }

    /**
     * The bounds of the workers' clocks are coarse compared with the latencies.
     *
     * @param path see {@link #slowestPath}
     */
    public static Finding clocksLoose(long apartNs, long medianNs, String path) {
        return note("ClocksLoose")
                .saying(
                        "clocks of workers known only to ± %s of one another, %.0f %% of the median end-to-end latency (%s):"
                                + " latencies of messages between workers may be wrong by that; %s",
                        Quantities.latency(apartNs), 100.0 * apartNs / medianNs, Quantities.latency(medianNs), path);
    }

    /**
     * Names the path that makes the bound of the clocks what it is, for {@link #clocksLoose} and {@link
     * #endToEndWithheld}.
     *
     * @param worker name of the worker with the largest bound
     * @param minRoundTripNs the shortest round trip between it and the coordinator
     */
    public static String slowestPath(String worker, long boundNs, long minRoundTripNs) {
        return String.format(
                Locale.ROOT,
                "the slowest path from here is that to %s, ± %s with a shortest round trip of %s",
                worker,
                Quantities.latency(boundNs),
                Quantities.latency(minRoundTripNs));
    }

    /**
     * The bounds of the workers' clocks are too coarse for the latencies between workers.
     *
     * @param path see {@link #slowestPath}
     * @param given number of messages that stayed on one worker, whose latencies are given
     */
    public static Finding endToEndWithheld(long apartNs, long medianNs, String path, long given) {
        return note("EndToEndWithheld")
                .saying(
                        "end-to-end latencies between workers are withheld: the workers' clocks are known only to ± %s of one"
                                + " another, and the median would be %s; %s; %s",
                        Quantities.latency(apartNs), Quantities.latency(medianNs), path, onOneWorker(given));
    }

    /** End-to-end latencies are withheld, since the clocks of some workers are unknown. */
    public static Finding clockUnknown(List<String> names, long given) {
        return note("EndToEndWithheld")
                .saying(
                        "end-to-end latencies between workers are withheld: it is not known how far the clock of %s is from"
                                + " the others; %s",
                        String.join(", ", names), onOneWorker(given));
    }

    private static String onOneWorker(long given) {
        return given == 0
                ? "no message stayed on one worker"
                : String.format(Locale.ROOT, "those given are for the %,d messages that stayed on one worker", given);
    }

    /**
     * A worker's clock was set, stopped, or runs wrong.
     *
     * @param explains true if other findings are its consequences
     */
    public static Finding clockMoved(String worker, List<ClockBreak> breaks, Severity severity, boolean explains) {
        long mostNs = breaks.stream()
                .mapToLong(each -> Math.abs(each.movedNs()))
                .max()
                .orElse(0);
        return of("ClockMoved", severity)
                .saying(
                        "clock of %s moved during the measurement, %s, by at least %s: it was set, stopped, or runs wrong;"
                                + " %send-to-end latencies from and to that worker may be wrong by that much around that time",
                        worker,
                        breaks.size() == 1 ? "once" : breaks.size() + " times",
                        Quantities.latency(mostNs),
                        explains
                                ? "a load follows its clock, so this explains why it was not the one asked for, and "
                                : "");
    }

    /** A worker had nothing to do. */
    public static Finding workerIdle(String worker) {
        return note("WorkerIdle")
                .saying("%s had nothing to do: there are fewer producers and consumers than workers", worker);
    }

    /** Latencies exceeded the largest value that can be recorded. */
    public static Finding saturatedLatencies(Latency latency, long count) {
        return invalid("SaturatedLatencies")
                .saying("%,d samples of %s were beyond 73 minutes and counted as 73 minutes", count, latency.label());
    }

    /** The backlog was not drained. */
    public static Finding backlogNotDrained(long backlogMessages) {
        return invalid("BacklogNotDrained")
                .saying("the backlog was not drained: %,d messages were left", backlogMessages);
    }

    /** The run sent fewer messages than planned. */
    public static Finding messageCountMissed(long target, long sent) {
        return invalid("MessageCountMissed")
                .saying("message count missed: %,d asked for, %,d sent in the test duration", target, sent);
    }

    /** A run without producers received no message. */
    public static Finding nothingConsumed() {
        return invalid("NothingConsumed").saying("nothing to consume: no message arrived");
    }

    /** A run without producers ended before it was clear that it had consumed everything. */
    public static Finding consumedInPart(double quietSeconds) {
        return note("ConsumedInPart")
                .saying(
                        "perhaps consumed only in part: the test duration ended before %.0f s passed without a message, so more"
                                + " may be left",
                        quietSeconds);
    }

    /** A run without producers found no more messages before a subscription had received {@code messageCount}. */
    public static Finding fewerConsumed(long messages, long wanted, double quietSeconds) {
        return note("FewerConsumed")
                .saying(
                        "fewer messages than asked for: a subscription consumed %,d of %,d (messageCount), then none arrived"
                                + " for %.0f s",
                        messages, wanted, quietSeconds);
    }

    /** The header replaces bytes that should be random. */
    public static Finding fewerRandomBytes(double configuredRatio, double ratio, int headerBytes) {
        return note("FewerRandomBytes")
                .saying(
                        "fewer random bytes: %.1f %% of the payloads' bytes are random, not %.1f %%, since the header takes %d"
                                + " bytes of each",
                        100 * ratio, 100 * configuredRatio, headerBytes);
    }

    /** The messages are too small to carry everything that the harness measures. */
    public static Finding smallMessages(int messageSizeBytes, MessageHeader.Layout layout) {
        String lacks = switch (layout) {
            case FULL -> "nothing";
            case COMPACT -> "no intended send time: scheduledEndToEndLatency is not measured";
            case NUMBERED -> "no send time: end-to-end latency is not measured";
            case NONE ->
                "no header: end-to-end latency is not measured, the audit is off, and losses and"
                        + " duplicates show only in the number of messages";
        };
        return note("SmallMessages").saying("messages of %d bytes carry %s", messageSizeBytes, lacks);
    }
}
