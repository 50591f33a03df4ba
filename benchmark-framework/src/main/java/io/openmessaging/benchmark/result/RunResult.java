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
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about a run. Times are epoch nanoseconds.
 *
 * @param runId unique ID of the run
 * @param verdict verdict on whether the figures may be relied on
 * @param findings what the reader needs to know; findings that invalidate come first
 * @param failure the sentence that says what ended the run, with verdict FAILED
 * @param workload the workload that was requested
 * @param driver the driver used
 * @param broker the system under test; null if the run failed before it was known
 * @param environment where the run took place
 * @param beginNs start of the run, provisioning included
 * @param endNs end of the run
 * @param headerLayout header layout of the messages: FULL, COMPACT, NUMBERED or NONE
 * @param targetRateMsgPerSec the rate of the measurement; null if messages were sent as fast as the client took them,
 *     or no rate was found
 * @param phases the phases of the run, in order
 * @param warmup the periods of the warm-up
 * @param periods the periods of the measurement, in order, without gaps
 * @param search how the sustainable rate was found; null without a search
 * @param audit the outcome of every message; null if unknown
 * @param usage resources used by the harness during the measurement; null without a measurement
 * @param ceiling the highest rate of the harness itself; null if unknown
 * @param errors errors of sends and of the client, by kind
 * @param limits limits on broker and clients
 * @param course the course of a measurement that is more than one load interval
 * @param workers the workers, in order; empty if this process was the only one
 * @param clocks how well the workers' times compare; null if no message goes from one worker to another. If they do
 *     not compare, all end-to-end latencies are those of messages that stayed on one worker
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
     * The driver of a run.
     *
     * @param name name in the driver file
     * @param driverClass class of the driver
     * @param clientVersion name and version of the client library
     * @param settings settings of the driver file, by key
     */
    public record Driver(
            String name, String driverClass, String clientVersion, Map<String, @Nullable Object> settings) {}

    /**
     * The system under test.
     *
     * @param description the system's description of itself
     * @param managed true if it was started for this run
     * @param settings how it was started; empty if it was not
     * @param placement number of the run's partitions that each node led at the start, by the node's address; empty if
     *     the system does not report it
     */
    public record Broker(
            BrokerDescription description,
            boolean managed,
            Map<String, String> settings,
            Map<String, Integer> placement) {

        private static final Pattern HERE = Pattern.compile("(localhost|127(\\.\\d+){3}|\\[?::1]?)(:\\d+)?");

        /** Returns a copy with the number of partitions that each node leads. */
        public Broker placed(Map<String, Integer> partitionsByNode) {
            return new Broker(description, managed, settings, partitionsByNode);
        }

        /** Returns whether a part of the system runs on the given machine, as far as its addresses show. */
        public boolean isOn(WorkerHost host) {
            return description.nodes().stream().anyMatch(host::isAt);
        }

        /**
         * Returns whether the system runs on this machine, as far as can be determined: started here, inside this
         * process, or on loopback.
         */
        public boolean sharesMachine() {
            return managed
                    || description.nodes().stream()
                            .allMatch(node -> HERE.matcher(node).matches());
        }
    }

    /**
     * A phase of a run.
     *
     * @param name a name such as {@code warm-up}, {@code settle}, {@code measure}, {@code backlog-build},
     *     {@code backlog-drain}, {@code drain}
     * @param startNs start
     * @param endNs end
     */
    public record Phase(String name, long startNs, long endNs) {

        public double seconds() {
            return (endNs - startNs) / 1e9;
        }
    }

    /**
     * The search for the highest sustainable rate.
     *
     * @param sustainableRateMsgPerSec the highest rate that a confirming try held, or else what {@link #basis} says;
     *     null if no rate was held
     * @param range the range that contains the system's limit; null if no rate was held
     * @param steps the rates tried, in order
     * @param audit the outcome of the messages sent until then, warm-up included; null if unknown
     */
    public record Search(
            @Nullable Double sustainableRateMsgPerSec,
            @Nullable RateRange range,
            List<SearchStep> steps,
            @Nullable AuditReport audit) {

        /** Returns what speaks for the rate, as a part of a sentence that begins with it. */
        public String basis() {
            List<SearchStep> held = steps.stream()
                    .filter(step ->
                            step.sustained() && Objects.equals(step.targetMsgPerSec(), sustainableRateMsgPerSec))
                    .toList();
            if (!held.isEmpty()) {
                return held.stream().anyMatch(SearchStep::confirming)
                        ? "was held in a longer try"
                        : "was held in a short try only";
            }
            return steps.stream()
                            .anyMatch(step -> step.measured()
                                    && Objects.equals(step.achievedMsgPerSec(), sustainableRateMsgPerSec))
                    ? "was achieved in a measurement at a higher rate"
                    : "is a guess from higher rates, which were refused";
        }

        /** Returns whether a measurement at a rate that was held before did not hold it. */
        public boolean corrected() {
            return steps.stream().anyMatch(SearchStep::measured);
        }

        /** Returns a copy with the outcome of its messages. */
        public Search audited(@Nullable AuditReport found) {
            return new Search(sustainableRateMsgPerSec, range, steps, found);
        }
    }

    /**
     * The uncertainty of a rate.
     *
     * @param lowMsgPerSec the limit is hardly below this rate
     * @param highMsgPerSec the limit is hardly above this rate; null if no rate was refused
     */
    public record RateRange(double lowMsgPerSec, @Nullable Double highMsgPerSec) {

        /**
         * Ratio of the ends up to which a limit counts as found. It is 1.1 on simulated systems that are steady, up to
         * 1.4 if their capacity varies by chance, and up to 2.6 if they stall. Searches find all their limits.
         */
        private static final double WIDEST = 3;

        /** Returns whether the limit was found: the rate is then a figure to rely on. */
        public boolean isFound() {
            return highMsgPerSec != null && highMsgPerSec <= WIDEST * lowMsgPerSec;
        }

        /**
         * Returns the range as a part of a sentence about a limit, with the reason if the rate is no figure to rely on.
         *
         * @param shared true if others used the machine
         */
        public String inWords(boolean shared) {
            String low = Quantities.number(lowMsgPerSec);
            return (highMsgPerSec == null
                            ? "above " + low
                            : "between " + low + " and " + Quantities.number(highMsgPerSec))
                    + " msg/s"
                    + (shared ? ": others used the machine" : isFound() ? "" : ": not narrowed down");
        }
    }

    /**
     * One rate that the search tried.
     *
     * @param targetMsgPerSec the rate requested
     * @param achievedMsgPerSec the rate confirmed
     * @param backlogGrowthMessages growth of the backlog of the slowest subscription
     * @param breach the reason that the rate is not sustained; null if it is
     * @param confirming true for a longer try that decides, and for a measurement
     */
    public record SearchStep(
            double targetMsgPerSec,
            double achievedMsgPerSec,
            long backlogGrowthMessages,
            @Nullable Breach breach,
            boolean confirming) {

        /** The rule of a breach that was found by a measurement at the rate. */
        public static final String MEASUREMENT = "measurement";

        /** Returns whether the rate counts as sustained. */
        public boolean sustained() {
            return breach == null;
        }

        /** Returns the step refused for a reason, unless it has one already, or there is none. */
        public SearchStep refusedFor(Optional<Breach> reason) {
            return sustained() && reason.isPresent()
                    ? new SearchStep(
                            targetMsgPerSec, achievedMsgPerSec, backlogGrowthMessages, reason.get(), confirming)
                    : this;
        }

        /** Returns whether this was a measurement that did not hold the rate. */
        public boolean measured() {
            return breach != null && breach.rule().equals(MEASUREMENT);
        }
    }

    /**
     * A bound that was exceeded.
     *
     * @param rule the workload key of the bound
     * @param text a part of a sentence, with the numbers
     */
    public record Breach(String rule, String text) {}

    /**
     * The course of a measurement.
     *
     * @param steps with a growing number of clients: each step that ended, in order
     * @param transfer with a number of messages: the time that they took; null without such a number, or if no message
     *     was sent
     * @param tail the outcome of messages that were due or in flight when the measurement ended; null if there were
     *     none
     * @param seed seed of the load's random choices
     * @param slo each bound of the workload's slo, in its order; empty without bounds, or if nothing was measured
     * @param rateSweep the rates of a sweep; null without a sweep, or if the run ended before the first rate
     * @param faults the faults and their effects; null without faults
     * @param foreign without producers: the messages consumed; null with producers
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

        /** Creates a course without faults. */
        public Course(
                List<LoadStep> steps,
                @Nullable Transfer transfer,
                @Nullable Tail tail,
                long seed,
                List<SloOutcome> slo,
                @Nullable RateSweep rateSweep) {
            this(steps, transfer, tail, seed, slo, rateSweep, null, null);
        }

        /** Returns a copy without the receive time, unless it is known when all messages had arrived. */
        public Course arrived(boolean known) {
            Transfer timed = known || transfer == null
                    ? transfer
                    : new Transfer(transfer.sendSeconds(), transfer.publishSeconds(), null);
            return new Course(steps, timed, tail, seed, slo, rateSweep, faults, foreign);
        }

        /** The course of a single stretch of load. */
        public static final Course PLAIN = new Course(List.of(), null, null, 1, List.of(), null);

        public Course {
            steps = List.copyOf(steps);
            slo = List.copyOf(slo);
        }

        /** Returns a copy with the outcome of the faults. */
        public Course with(FaultOutcome.@Nullable FaultReport outcome) {
            return new Course(steps, transfer, tail, seed, slo, rateSweep, outcome, foreign);
        }

        /** Returns a copy with its tail, and with bounds that were compared with all latencies. */
        public Course endedBy(@Nullable Tail newTail, List<SloOutcome> outcomes) {
            return new Course(steps, transfer, newTail, seed, outcomes, rateSweep, faults, foreign);
        }

        /** Returns a copy with the messages of others that were consumed. */
        public Course consumed(@Nullable Foreign messages) {
            return new Course(steps, transfer, tail, seed, slo, rateSweep, faults, messages);
        }
    }

    /**
     * Messages sent by others, which a run without producers consumed.
     *
     * @param consumed the messages that arrived
     * @param messageTime the kind of time from which message ages are counted; null if the system keeps none
     */
    public record Foreign(Consumed consumed, @Nullable String messageTime) {}

    /**
     * Latencies from the intended send that were recorded after the last period of a measurement.
     *
     * @param seen latencies of messages answered or received while the run waited, and of censored messages
     * @param censored messages whose latency is known only as a lower bound
     */
    public record Tail(PeriodSnapshot seen, Censored censored) {

        /** Returns a copy without latencies of messages between workers. */
        public Tail withinWorkers() {
            return new Tail(seen.withinWorkers(), censored);
        }
    }

    /**
     * Messages that were still waiting when the run ended. The time that each has waited is recorded, which is a lower
     * bound of its true latency.
     *
     * @param unsent messages due before the end of the load and not sent by then
     * @param unanswered messages sent, but neither confirmed nor refused when the run stopped waiting
     * @param undelivered copies for a subscription that had not arrived when the run stopped waiting, but might still
     *     arrive
     * @param longestWaitNs the longest wait of all these messages; 0 if there are none
     */
    public record Censored(long unsent, long unanswered, long undelivered, long longestWaitNs) {

        private static final long WORTH_REPORTING_NS = 10_000_000;

        /** Returns whether the reader needs to know: the last moments of a schedule are always cut off. */
        public boolean worthReporting() {
            return longestWaitNs >= WORTH_REPORTING_NS;
        }
    }

    /**
     * A bound of the workload's slo, with the measured value.
     *
     * @param key the workload key of the bound
     * @param limitNs the highest value that passes
     * @param valueNs the measured value; null without samples
     * @param samples number of samples
     * @param samplesNeeded number of samples below which the bound is not proven, see
     *     {@link io.openmessaging.benchmark.metric.LatencyFigure#samplesNeeded()}
     */
    public record SloOutcome(
            String key, long limitNs, @Nullable Double valueNs, long samples, long samplesNeeded) {

        /** Returns whether the measurement shows that the bound was kept. */
        public boolean passed() {
            return valueNs != null && valueNs <= limitNs && samples >= samplesNeeded;
        }
    }

    /**
     * A step of the measurement, with its own number of clients or its own rate.
     *
     * @param producers all producers of the run that were sending
     * @param consumers all consumers of the run that were receiving
     * @param seen measurements of the whole step, or of the part before it was stopped
     * @param breach the rule that stopped the step, or the reason that its rate is not sustained; null if neither
     *     applies
     * @param used resources used in the step
     * @param targetMsgPerSec target rate of the step; null in a run with a growing number of clients
     */
    public record LoadStep(
            int producers,
            int consumers,
            PeriodSnapshot seen,
            @Nullable Breach breach,
            ResourcePeriod used,
            @Nullable Double targetMsgPerSec) {

        /** Returns whether no rule was broken. */
        public boolean clean() {
            return breach == null;
        }

        /** Returns a copy that is marked as not sustained. */
        public LoadStep refused(Breach reason) {
            return new LoadStep(producers, consumers, seen, reason, used, targetMsgPerSec);
        }
    }

    /**
     * The times that a number of messages took.
     *
     * @param sendSeconds from the first send to the last
     * @param publishSeconds from the first send to the last, or from the first confirmation to the last if that is
     *     longer; null if not all messages were sent and answered
     * @param receiveSeconds from the first send to the last arrival; null if not all messages have arrived, or there
     *     are no consumers
     */
    public record Transfer(
            double sendSeconds,
            @Nullable Double publishSeconds,
            @Nullable Double receiveSeconds) {}

    /**
     * Messages per second over the whole measurement.
     *
     * @param send messages handed to clients
     * @param publish messages confirmed
     * @param consume messages that arrived, over all subscriptions
     */
    public record Rates(double send, double publish, double consume) {}

    /**
     * The limit of the harness that applies to the run.
     *
     * @param calibration the calibration that measured the limit
     * @param sendingThreads number of sending threads
     */
    public record Ceiling(Calibration calibration, int sendingThreads) {

        /** Returns the highest rate of this number of threads. */
        public double msgPerSec() {
            return calibration.ceilings().msgPerSec(sendingThreads);
        }
    }

    /** Messages published per second of processor time of all broker nodes; empty if unknown. */
    public OptionalDouble messagesPerBrokerCpuSecond() {
        PeriodSnapshot total = total();
        double cores = resourceTotal().sum(Role.BROKER, Figure.CPU_CORE_PERCENT).orElse(0) / 100;
        return total == null || cores <= 0 ? OptionalDouble.empty() : OptionalDouble.of(total.publishRate() / cores);
    }

    /** Returns the reason that the run has no audit, as part of a sentence. */
    public String whyNoAudit() {
        if (course.foreign() != null) {
            return "messages sent by others carry no sequence number of this run: losses and duplicates are unknown";
        }
        return headerLayout.equals(NO_HEADER)
                ? "messages of " + workload.workload().smallestMessageBytes() + " bytes carry no header"
                : "the run ended before it";
    }

    /** OMB's message size, bytes. */
    public int messageSize() {
        return course.foreign() == null ? workload.workload().messageSize() : (int) Math.round(meanMessageBytes(null));
    }

    /**
     * Returns the last step that was clean, which is the load that the system sustains; null if no step was clean, or
     * there are no steps.
     */
    public @Nullable LoadStep saturation() {
        return course.steps().stream()
                .filter(LoadStep::clean)
                .reduce((first, second) -> second)
                .orElse(null);
    }

    /**
     * Returns the highest rate that the system sustained: the publish rate of the measurement at the rate that the
     * search found. Null without a search, or if the measurement does not confirm the rate because the verdict is not
     * OK.
     */
    public @Nullable Double confirmedRateMsgPerSec() {
        PeriodSnapshot total = total();
        return search == null || total == null || verdict != Verdict.OK
                ? null
                : Double.valueOf(rates(total).publish());
    }

    /** Returns what was measured in each period. */
    public List<PeriodSnapshot> measured() {
        return periods.stream().map(RunPeriod::seen).toList();
    }

    /** Returns the resources used over the whole measurement; {@link ResourcePeriod#NONE} if there was none. */
    public ResourcePeriod resourceTotal() {
        return RunPeriod.together(periods).map(RunPeriod::used).orElse(ResourcePeriod.NONE);
    }

    /**
     * Returns the rates of the measurement. With a number of messages, each rate is over the time that its messages
     * took, since the measurement lasts until the last arrival and does not show how fast they were published. For
     * messages of others, the rate is over the time from the first arrival to the last.
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
     * Returns the mean message size in bytes: of the consumed messages if others sent them, else of the sent messages,
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
        // A single message takes no time.
        return seconds == null || seconds == 0 ? otherwise : messages / seconds;
    }

    /**
     * Returns the measurement as one period; null if there was none. Its latencies from the intended send include
     * messages that were unanswered or unsent when it ended.
     */
    public @Nullable PeriodSnapshot total() {
        return total(periods, course.tail()).orElse(null);
    }

    /** Returns the periods of a measurement as one, with the latencies of its tail; empty without periods. */
    public static Optional<PeriodSnapshot> total(List<RunPeriod> periods, @Nullable Tail tail) {
        return RunPeriod.together(periods)
                .map(RunPeriod::seen)
                .map(seen -> tail == null ? seen : seen.withLatenciesOf(tail.seen()));
    }
}
