package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.HarnessUsage;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.worker.protocol.WorkerHost;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of a run. Times are epoch nanoseconds.
 *
 * @param runId unique to the run
 * @param verdict whether the figures may be relied on
 * @param findings what the reader has to know, those that invalidate first
 * @param failure the sentence that says what ended the run, with verdict FAILED
 * @param workload what was asked for
 * @param driver with what
 * @param broker against what; null if the run failed before that was known
 * @param environment on what
 * @param beginNs the begin of the run, provisioning included
 * @param endNs the end of the run
 * @param headerLayout of the messages: FULL, COMPACT, NUMBERED or NONE
 * @param targetRateMsgPerSec the rate of the measurement; null where messages were sent as fast as the client took them,
 *     or no rate was found
 * @param phases what was done when, in order
 * @param warmup the periods of the warm-up
 * @param periods those of the measurement, in order, without a gap
 * @param search how the sustainable rate was found; null if it was not searched for
 * @param audit what became of every message; null if it is not known
 * @param usage what the harness used during the measurement; null if there was none
 * @param ceiling what the harness is capable of; null if that is not known
 * @param errors errors of sends and of the client, by kind
 * @param limits on what broker and clients might use
 * @param course what the measurement went through, where it is more than one stretch of load
 * @param workers an entry for each, in their order; empty if this process was the only one
 * @param clocks how well times of workers compare; null if no message goes from one to another. Where they do not, latencies
 *     from end to end are everywhere those of messages that stayed on one worker
 */
public record RunResult(
        String runId,
        Verdict verdict,
        List<Finding> findings,
        @Nullable String failure,
        WorkloadFile workload,
        Driver driver,
        @Nullable Broker broker,
        Environment environment,
        long beginNs,
        long endNs,
        String headerLayout,
        @Nullable Double targetRateMsgPerSec,
        List<Phase> phases,
        List<PeriodSnapshot> warmup,
        List<RunPeriod> periods,
        @Nullable Search search,
        @Nullable AuditReport audit,
        @Nullable HarnessUsage usage,
        @Nullable Ceiling ceiling,
        Map<String, Long> errors,
        ResourceLimits limits,
        Course course,
        List<WorkerResult> workers,
        @Nullable ClockBound clocks) {

    private static final String NO_HEADER = "NONE";

    public RunResult {
        findings = List.copyOf(findings);
        phases = List.copyOf(phases);
        warmup = List.copyOf(warmup);
        periods = List.copyOf(periods);
        workers = List.copyOf(workers);
    }

    /**
     * The driver.
     *
     * @param name as its file has it
     * @param driverClass its class
     * @param clientVersion name and version of the client library
     * @param settings its file, key by key
     */
    public record Driver(
            String name, String driverClass, String clientVersion, Map<String, @Nullable Object> settings) {}

    /**
     * The system under test.
     *
     * @param description as it describes itself
     * @param managed whether it was started for this run
     * @param settings how it was started, if it was
     * @param placement how many of the run's partitions each node led when the run began, by its address; empty if the system
     *     does not tell
     */
    public record Broker(
            BrokerDescription description,
            boolean managed,
            Map<String, String> settings,
            Map<String, Integer> placement) {

        private static final Pattern HERE = Pattern.compile("(localhost|127(\\.\\d+){3}|\\[?::1]?)(:\\d+)?");

        /** The same, with which node leads how many partitions. */
        public Broker placed(Map<String, Integer> partitionsByNode) {
            return new Broker(description, managed, settings, partitionsByNode);
        }

        /** Whether a part of it runs on a machine, as far as its addresses tell. */
        public boolean isOn(WorkerHost place) {
            return description.nodes().stream().anyMatch(place::isAt);
        }

        /** Whether it runs on this machine, as far as can be told: started here, inside this process, or on loopback. */
        public boolean sharesMachine() {
            return managed
                    || description.nodes().stream()
                            .allMatch(node -> HERE.matcher(node).matches());
        }
    }

    /**
     * A stretch of the run.
     *
     * @param name such as {@code warm-up}, {@code settle}, {@code measure}, {@code backlog-build}, {@code backlog-drain}, {@code drain}
     * @param startNs its begin
     * @param endNs its end
     */
    public record Phase(String name, long startNs, long endNs) {

        /** How long it took. */
        public double seconds() {
            return (endNs - startNs) / 1e9;
        }
    }

    /**
     * The search for the highest sustainable rate.
     *
     * @param sustainableRateMsgPerSec the highest rate that was held in a confirming try, or what was achieved at it in a
     *     measurement, if that was far less; null if none was
     * @param range in which the system's limit is; null if no rate was held
     * @param steps the rates tried, in order
     * @param audit what became of the messages sent until then, warm-up included; null if it is not known
     */
    public record Search(
            @Nullable Double sustainableRateMsgPerSec,
            @Nullable RateRange range,
            List<SearchStep> steps,
            @Nullable AuditReport audit) {

        /** The same search with what became of its messages. */
        public Search audited(@Nullable AuditReport found) {
            return new Search(sustainableRateMsgPerSec, range, steps, found);
        }
    }

    /**
     * How uncertain a rate is.
     *
     * @param lowMsgPerSec the limit is hardly below
     * @param highMsgPerSec the limit is hardly above; null if no rate was refused
     */
    public record RateRange(double lowMsgPerSec, @Nullable Double highMsgPerSec) {}

    /**
     * One rate tried.
     *
     * @param targetMsgPerSec what was asked for
     * @param achievedMsgPerSec what was confirmed
     * @param backlogGrowthMessages by how much the backlog of the slowest subscription grew
     * @param breach why the rate is not sustained; null if it is
     * @param confirming whether it was tried for longer, to decide, or measured
     */
    public record SearchStep(
            double targetMsgPerSec,
            double achievedMsgPerSec,
            long backlogGrowthMessages,
            @Nullable Breach breach,
            boolean confirming) {

        /** The rule of a breach that a measurement at the rate has found. */
        public static final String MEASUREMENT = "measurement";

        /** Whether the rate counts as sustained. */
        public boolean sustained() {
            return breach == null;
        }

        /** Whether it was a measurement, which did not hold the rate. */
        public boolean measured() {
            return breach != null && breach.rule().equals(MEASUREMENT);
        }
    }

    /**
     * A bound that was passed.
     *
     * @param rule the workload's key for it
     * @param text a part of a sentence, with the numbers
     */
    public record Breach(String rule, String text) {}

    /**
     * What a measurement went through.
     *
     * @param steps with a number of clients that grows: an entry for each step that ended, in order
     * @param transfer with a number of messages: how long it took; null without, or if none was sent
     * @param tail what came of the messages that were due or on their way when it ended; null if there was none
     * @param seed of the random choices of its load
     * @param slo an entry for each bound of the workload's slo, in its order; none without, or if nothing was measured
     * @param rateSweep with rates that were gone through; null without, or if the run ended before the first
     * @param faults what was done to the system, and what came of it; null without
     * @param foreign without producers: what was consumed; null with them
     */
    public record Course(
            List<LoadStep> steps,
            @Nullable Transfer transfer,
            @Nullable Tail tail,
            long seed,
            List<SloOutcome> slo,
            @Nullable RateSweep rateSweep,
            FaultOutcome.@Nullable FaultReport faults,
            @Nullable Foreign foreign) {

        /** One without faults. */
        public Course(
                List<LoadStep> steps,
                @Nullable Transfer transfer,
                @Nullable Tail tail,
                long seed,
                List<SloOutcome> slo,
                @Nullable RateSweep rateSweep) {
            this(steps, transfer, tail, seed, slo, rateSweep, null, null);
        }

        /** The same, where it is not known when all messages had arrived, if it is not. */
        public Course arrived(boolean known) {
            Transfer timed = known || transfer == null
                    ? transfer
                    : new Transfer(transfer.sendSeconds(), transfer.publishSeconds(), null);
            return new Course(steps, timed, tail, seed, slo, rateSweep, faults, foreign);
        }

        /** One stretch of load. */
        public static final Course PLAIN = new Course(List.of(), null, null, 1, List.of(), null);

        public Course {
            steps = List.copyOf(steps);
            slo = List.copyOf(slo);
        }

        /** The same with what faults did. */
        public Course with(FaultOutcome.@Nullable FaultReport outcome) {
            return new Course(steps, transfer, tail, seed, slo, rateSweep, outcome, foreign);
        }

        /** The same with its end. */
        public Course endedBy(@Nullable Tail newTail) {
            return new Course(steps, transfer, newTail, seed, slo, rateSweep, faults, foreign);
        }

        /** The same with messages of others. */
        public Course consumed(@Nullable Foreign messages) {
            return new Course(steps, transfer, tail, seed, slo, rateSweep, faults, messages);
        }
    }

    /**
     * Messages of others, which a run without producers has consumed.
     *
     * @param consumed what has arrived
     * @param messageTime what the time is from which their ages are counted; null if the system keeps none
     */
    public record Foreign(Consumed consumed, @Nullable String messageTime) {}

    /**
     * What came after the last period of a measurement, and counts in the latencies from the intended send.
     *
     * @param seen those latencies: of what was answered or arrived while messages were waited for, and of the censored
     * @param censored messages of which only the least wait is known
     */
    public record Tail(PeriodSnapshot seen, Censored censored) {

        /** The same without latencies of messages that went from one worker to another. */
        public Tail withinWorkers() {
            return new Tail(seen.withinWorkers(), censored);
        }
    }

    /**
     * Messages whose latency ended with the run, not with the message: what is recorded of each is how long it has
     * waited, which the true latency is not below.
     *
     * @param unsent due when the load was to end, and not sent by then
     * @param unanswered sent, and neither confirmed nor refused when the run stopped waiting
     * @param undelivered copies for a subscription that had not arrived when the run stopped waiting, and might still have
     * @param longestWaitNs the longest wait of all of them; 0 without any
     */
    public record Censored(long unsent, long unanswered, long undelivered, long longestWaitNs) {

        private static final long WORTH_REPORTING_NS = 10_000_000;

        /** Whether a reader has to know: the last moments of a schedule are always cut off. */
        public boolean worthReporting() {
            return longestWaitNs >= WORTH_REPORTING_NS;
        }
    }

    /**
     * A bound of the workload's slo, and what the measurement had.
     *
     * @param key the workload's key for it
     * @param limitNs the highest value that passes
     * @param valueNs what was measured; null if there was no sample
     * @param samples how many there were
     * @param samplesNeeded fewer do not show that the bound was kept, see {@link
     *     io.openmessaging.benchmark.metric.LatencyFigure#samplesNeeded()}
     */
    public record SloOutcome(
            String key, long limitNs, @Nullable Double valueNs, long samples, long samplesNeeded) {

        /** Whether the bound was shown to be kept. */
        public boolean passed() {
            return valueNs != null && valueNs <= limitNs && samples >= samplesNeeded;
        }
    }

    /**
     * A stretch of the measurement with a number of clients, or with a rate.
     *
     * @param producers all of the run that were sending
     * @param consumers all of the run that were receiving
     * @param seen the whole step, or what there was of it when it was broken off
     * @param breach the rule by which it was broken off, or why its rate is not sustained; null if neither is so
     * @param used what was used in it
     * @param targetMsgPerSec the rate that it is a step for; null in a run whose clients become more
     */
    public record LoadStep(
            int producers,
            int consumers,
            PeriodSnapshot seen,
            @Nullable Breach breach,
            ResourcePeriod used,
            @Nullable Double targetMsgPerSec) {

        /** Whether no rule was broken. */
        public boolean clean() {
            return breach == null;
        }

        /** The same, not sustained after all. */
        public LoadStep refused(Breach reason) {
            return new LoadStep(producers, consumers, seen, reason, used, targetMsgPerSec);
        }
    }

    /**
     * The way of a number of messages.
     *
     * @param sendSeconds from the first send to the last
     * @param publishSeconds the same, or from the first confirmation to the last if that is longer; null if not all were
     *     sent and answered
     * @param receiveSeconds from the first send to the last arrival; null if not all have arrived, or nobody receives
     */
    public record Transfer(
            double sendSeconds,
            @Nullable Double publishSeconds,
            @Nullable Double receiveSeconds) {}

    /**
     * Messages a second over the whole measurement.
     *
     * @param send handed to clients
     * @param publish confirmed
     * @param consume arrived, at all subscriptions together
     */
    public record Rates(double send, double publish, double consume) {}

    /**
     * The limit of the harness that the run is judged by.
     *
     * @param calibration where it is from
     * @param sendingThreads how many threads sent
     */
    public record Ceiling(Calibration calibration, int sendingThreads) {

        /** The highest rate of that many threads. */
        public double msgPerSec() {
            return calibration.ceilings().msgPerSec(sendingThreads);
        }
    }

    /** Messages published for each second of processor time of all nodes of the broker; empty if that is not known. */
    public OptionalDouble messagesPerBrokerCpuSecond() {
        PeriodSnapshot total = total();
        double cores = resourceTotal().sum(Role.BROKER, Figure.CPU_CORE_PERCENT).orElse(0) / 100;
        return total == null || cores <= 0 ? OptionalDouble.empty() : OptionalDouble.of(total.publishRate() / cores);
    }

    /** Why the run has no audit: a part of a sentence. */
    public String whyNoAudit() {
        if (course.foreign() != null) {
            return "messages that others have sent carry no number of this run: whether one was lost or came twice is not known";
        }
        return headerLayout.equals(NO_HEADER)
                ? "messages of " + workload.workload().smallestMessageBytes() + " bytes carry no header"
                : "the run ended before it";
    }

    /** OMB's size of the messages in bytes. */
    public int messageSize() {
        return course.foreign() == null ? workload.workload().messageSize() : (int) Math.round(meanMessageBytes(null));
    }

    /** The last step that was clean: what the system bears; null if none was, or there are no steps. */
    public @Nullable LoadStep saturation() {
        return course.steps().stream()
                .filter(LoadStep::clean)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    /**
     * The highest rate that the system sustained: what the measurement at the rate that was searched for has achieved,
     * messages a second; null if there was no search, or the measurement does not confirm what it found, since it is not OK.
     */
    public @Nullable Double confirmedRateMsgPerSec() {
        PeriodSnapshot total = total();
        return search == null || total == null || verdict != Verdict.OK
                ? null
                : Double.valueOf(rates(total).publish());
    }

    /** What was seen in the periods of the measurement. */
    public List<PeriodSnapshot> measured() {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /** What was used over the whole measurement; nothing if there was none. */
    public ResourcePeriod resourceTotal() {
        return RunPeriod.together(periods).map(RunPeriod::used).orElse(ResourcePeriod.NONE);
    }

    /**
     * The rates of the measurement. Those of a number of messages are over the time that each took: its length is the time
     * until the last of them had arrived, and says nothing about how fast they were published. Messages of others are over the
     * time from the first arrival to the last.
     */
    public Rates rates(PeriodSnapshot total) {
        Foreign foreign = course.foreign();
        if (foreign != null) {
            return new Rates(0, 0, foreign.consumed().messagesPerSecond());
        }
        Transfer transfer = course.transfer();
        if (transfer == null || transfer.publishSeconds() == null) {
            return new Rates(total.sendRate(), total.publishRate(), total.consumeRate());
        }
        return new Rates(
                rate(total.counts().sent(), transfer.sendSeconds(), total.sendRate()),
                rate(total.counts().acknowledged(), transfer.publishSeconds(), total.publishRate()),
                rate(total.counts().receivedByAll(), transfer.receiveSeconds(), total.consumeRate()));
    }

    /**
     * The mean size of the messages in bytes: of those that were consumed if others sent them, of those that were sent, or
     * else of those that the workload plans.
     *
     * @param total the measurement; null if there was none
     */
    public double meanMessageBytes(@Nullable PeriodSnapshot total) {
        Foreign foreign = course.foreign();
        if (foreign != null) {
            return foreign.consumed().meanBytes();
        }
        double planned = workload.workload().meanMessageBytes();
        return total == null ? planned : total.meanMessageBytes().orElse(planned);
    }

    private static double rate(long messages, @Nullable Double seconds, double otherwise) {
        // One message takes no time.
        return seconds == null || seconds == 0 ? otherwise : messages / seconds;
    }

    /**
     * The measurement as one period; null if there was none. Its latencies from the intended send have what was not
     * answered when it ended as well, and what was never sent.
     */
    public @Nullable PeriodSnapshot total() {
        PeriodSnapshot seen = RunPeriod.together(periods).map(RunPeriod::seen).orElse(null);
        Tail tail = course.tail();
        return seen == null || tail == null ? seen : seen.withLatenciesOf(tail.seen());
    }
}
