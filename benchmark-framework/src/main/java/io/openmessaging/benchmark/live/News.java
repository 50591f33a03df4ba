package io.openmessaging.benchmark.live;

import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.live.LiveRun.Tick;
import io.openmessaging.benchmark.live.Row.FindingRow;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.MessageSizes;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.result.file.JsonText;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.WorkerState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What has changed since a reader of the live page was told last. Readers follow {@code events}, a stream of
 * server-sent events next to the page, which programs can read as well. The data of each event {@code news} is this
 * record as one JSON object. Names of times and latencies end with their unit: {@code Ms} is milliseconds, for times
 * since 1970-01-01 UTC, and {@code Ns} nanoseconds. An unknown value is null. There is an event at least every 10 s.
 *
 * @param since version that the reader knows; 0 for none: replaces everything that it knows
 * @param version version that it knows from now on
 * @param atMs current time of the harness
 * @param progress progress over all runs
 * @param rows outcomes of runs that have ended; each replaces an earlier one of the same number
 * @param run current run, or the last one if none is running; null before the first
 */
public record News(
        long since,
        long version,
        long atMs,
        Progress progress,
        List<Row> rows,
        @Nullable Run run) {

    /** The limit is enough for every sentence of the harness; user-defined names in a sentence can be longer. */
    private static final int LONGEST_TEXT = 600;

    private static final int MOST_ERRORS = 20;
    private static final long NS_PER_MS = 1_000_000;

    /**
     * Returns what has changed. Called by the threads that serve.
     *
     * @param since version of the last news; 0 for everything
     */
    public static News of(LiveRuns runs, long since) {
        synchronized (runs) {
            LiveRun run = runs.run;
            return new News(
                    since,
                    runs.version(),
                    runs.nowMs(),
                    runs.progress(),
                    List.copyOf(runs.rows.tailMap(since, false).values()),
                    run == null ? null : Run.of(run, since));
        }
    }

    /** Returns whether no news follow, since everything has ended. */
    public boolean endsAll() {
        return progress.over();
    }

    /** Encodes the event, as UTF-8. A browser that has lost the connection reconnects after a second. */
    public byte[] encoded() {
        return ("event: news\nretry: 1000\ndata: " + JsonText.tree((Record) this) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Shortens a text from outside the harness if it is too long. */
    static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
    }

    private static @Nullable Long ms(OptionalLong ns) {
        return ns.isPresent() ? ns.getAsLong() / NS_PER_MS : null;
    }

    /**
     * The progress over all runs.
     *
     * @param plan the name of the plan; empty without one
     * @param current the current run, or the next one
     * @param count number of runs
     * @param doing reason for the wait before the run; empty once it has started
     * @param endMs estimated end of everything; null if no runs remain
     * @param outcomes number of ended runs by outcome
     * @param over true if everything has ended: no more events follow
     */
    record Progress(
            String plan,
            Current current,
            int count,
            String doing,
            @Nullable Long endMs,
            Map<String, Integer> outcomes,
            boolean over) {}

    /**
     * A run of the agenda.
     *
     * @param number place in the agenda, from 1; 0 before the first
     * @param title title for people; empty before the first
     * @param done part of its time of warm-up and measurement that is over, or of the messages that it is to send, from
     *     0 to 1; null if unknown, and while it does not run
     */
    record Current(int number, String title, @Nullable Double done) {}

    /**
     * The current run.
     *
     * @param head constant properties
     * @param now current state
     * @param phases phases with their start times
     * @param ticks counts over time
     * @param periods latencies and resources over time
     * @param uses resources that each process and machine used in the last period
     * @param steps rates or numbers of clients that were tried, in order
     */
    record Run(
            Head head,
            Now now,
            Part<Phase> phases,
            Part<Tick> ticks,
            Part<PeriodPoint> periods,
            List<Use> uses,
            Part<Step> steps) {

        static Run of(LiveRun run, long since) {
            return new Run(
                    run.head,
                    Now.of(run),
                    run.phases.since(since),
                    run.ticks.since(since),
                    run.periods.since(since),
                    run.resources.values().stream().map(Use::of).toList(),
                    run.steps.since(since));
        }
    }

    /**
     * The end of a list.
     *
     * @param from number of points before this part, which the reader knows; it replaces all that follow them
     * @param points new and changed points
     */
    record Part<P>(int from, List<P> points) {}

    /**
     * The constant properties of a run.
     *
     * @param runId unique ID
     * @param workload name of the workload
     * @param driver name of the driver
     * @param client name and version of the client library
     * @param beginMs start of the run
     * @param load the requested load, in words
     * @param plannedFaults number of faults in the workload
     */
    record Head(
            String runId, String workload, String driver, String client, long beginMs, String load, int plannedFaults) {

        static Head of(RunRequest request, long beginMs) {
            Workload workload = request.workload().workload();
            return new Head(
                    request.runId(),
                    workload.name(),
                    request.system().shown().name(),
                    request.system().shown().clientVersion(),
                    beginMs,
                    load(workload),
                    workload.faultsInOrder().size());
        }

        private static String load(Workload workload) {
            int consumers = workload.subscriptionsPerTopic() * workload.consumerPerSubscription();
            return Quantities.counted(workload.topics(), "topic") + " × "
                    + Quantities.counted(workload.partitionsPerTopic(), "partition") + ", "
                    + Quantities.counted(workload.topics() * workload.producersPerTopic(), "producer") + ", "
                    + Quantities.counted(workload.topics() * consumers, "consumer") + ", " + MessageSizes.of(workload)
                    + ", "
                    + rate(workload);
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

    /**
     * The state of a run at one moment, apart from its figures.
     *
     * @param phase current phase; empty before the first phase and after the end of the run
     * @param leftMs time until the end of the phase, or in {@code search} of a part of a try; null if unknown
     * @param verdict verdict that would follow from the findings; null if nothing can be said before the end
     * @param findings findings, in the order in which they were first found
     * @param errors errors of sends and of the client, by kind
     * @param faults faults that have been ordered, in order
     * @param workers workers on other machines or in separate processes, in order
     */
    record Now(
            String phase,
            @Nullable Long leftMs,
            @Nullable String verdict,
            List<FindingRow> findings,
            Map<String, Long> errors,
            List<Fault> faults,
            List<Worker> workers) {

        static Now of(LiveRun run) {
            Map<String, Long> errors = run.state.errors().entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_ERRORS)
                    .collect(Collectors.toMap(
                            entry -> shortened(entry.getKey()), Map.Entry::getValue, Long::sum, LinkedHashMap::new));
            List<PeriodSnapshot.Share> shares = run.state.lastPeriod() == null
                    ? List.of()
                    : run.state.lastPeriod().seen().shares();
            return new Now(
                    run.ended || run.state.phase() == null
                            ? ""
                            : run.state.phase().label(),
                    run.ended ? null : run.state.left().map(Duration::toMillis).orElse(null),
                    run.verdict == null ? null : run.verdict.name(),
                    List.copyOf(run.findings.values()),
                    errors,
                    run.faults.stream().map(Fault::of).toList(),
                    IntStream.range(0, run.workers.size())
                            .mapToObj(i -> Worker.of(run.workers.get(i), i < shares.size() ? shares.get(i) : null))
                            .toList());
        }
    }

    /**
     * The state of a fault.
     *
     * @param what description of the fault
     * @param orderedMs time of the order
     * @param begunMs time by which it had taken effect; null before
     * @param undoneMs time by which it had been undone; null before
     * @param problem reason that it did not take effect, or was not undone; null if nothing is wrong
     */
    record Fault(
            String what,
            long orderedMs,
            @Nullable Long begunMs,
            @Nullable Long undoneMs,
            @Nullable String problem) {

        static Fault of(FaultState state) {
            return new Fault(
                    shortened(state.what()),
                    state.orderedNs() / NS_PER_MS,
                    ms(state.begunNs()),
                    ms(state.undoneNs()),
                    state.problem() == null ? null : shortened(state.problem()));
        }
    }

    /**
     * The state of a worker.
     *
     * @param name name for people
     * @param state {@code up}, {@code silent} or {@code lost: why}
     * @param aheadNs offset of its clock, ahead of the coordinator's; null if unknown
     * @param boundNs possible error of that offset
     * @param roundTripNs median round-trip time of the latest requests
     * @param sentMsgPerSec messages sent per second in the last period; null before the first
     * @param receivedMsgPerSec messages received per second in the last period; null before the first
     */
    record Worker(
            String name,
            String state,
            @Nullable Long aheadNs,
            @Nullable Long boundNs,
            long roundTripNs,
            @Nullable Double sentMsgPerSec,
            @Nullable Double receivedMsgPerSec) {

        static Worker of(WorkerState state, PeriodSnapshot.@Nullable Share share) {
            return new Worker(
                    state.name(),
                    state.lost().map(why -> "lost: " + shortened(why)).orElse(state.suspect() ? "silent" : "up"),
                    state.clock().map(clock -> clock.aheadNs()).orElse(null),
                    state.clock().map(clock -> clock.boundNs()).orElse(null),
                    state.roundTripNs(),
                    share == null ? null : share.sendRate(),
                    share == null ? null : share.consumeRate());
        }
    }

    /**
     * @param name name as in results
     * @param atMs start
     */
    record Phase(String name, long atMs) {}

    /**
     * The resources that a process or a machine used.
     *
     * @param name name of the process or machine
     * @param role its role, in lower case
     * @param figures means over the period, by their names in results, which end in the unit
     */
    record Use(String name, String role, Map<String, Double> figures) {

        static Use of(ResourceUse use) {
            Map<String, Double> means = new TreeMap<>();
            use.figures().forEach((figure, value) -> means.put(figure.label(), value.mean()));
            return new Use(use.name(), use.role().name().toLowerCase(Locale.ROOT), means);
        }
    }

    /**
     * A step that was tried.
     *
     * @param what description of the step, such as {@code 4 producers, 4 consumers}; empty for a rate
     * @param targetMsgPerSec the rate that was tried; null if the step is not about a rate
     * @param achievedMsgPerSec the rate that was confirmed
     * @param problem reason that the step is not sustained; empty if it is
     */
    record Step(String what, @Nullable Double targetMsgPerSec, double achievedMsgPerSec, String problem) {}
}
