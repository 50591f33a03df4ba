package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.binding.YamlKey;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A fault that is injected during the measurement: one of {@code kill}, {@code stop}, {@code pause}, {@code isolate},
 * {@code delay}, {@code fill-disk}, {@code run}. Faults affect the system under test; {@code kill} and {@code pause}
 * can also affect a worker.
 *
 * @param at start, from the start of the measurement
 * @param kill the nodes whose processes are killed (SIGKILL), and restarted on their own data at the end; or a worker,
 *     which is not restarted
 * @param stop the nodes that are shut down in an orderly way (SIGTERM), and restarted at the end
 * @param pause the nodes, or the worker, whose processes are paused (SIGSTOP), and resumed at the end (SIGCONT)
 * @param isolate the nodes that each lose every packet from and to others
 * @param delay the nodes that are each moved further away from all others
 * @param by the time by which a round trip to them is prolonged
 * @param fillDisk the nodes whose disks are filled
 * @param size size of each node's data disk in a run with {@code fill-disk}, such as {@code 2g}
 * @param run a shell command, for a fault in a system elsewhere
 * @param undo the command that undoes {@code run}
 * @param lasting duration; absent for a worker that is killed
 */
public record Fault(
        @Shortened(least = "1s") @Range(from = "0s", to = "30d") @Nullable
        Duration at,

        @Nullable String kill,
        @Nullable String stop,
        @Nullable String pause,
        @Nullable String isolate,
        @Nullable String delay,

        @Range(from = "1ms", to = "10s") @Nullable Duration by,

        @YamlKey("fill-disk") @Nullable String fillDisk,
        @Nullable String size,
        @Nullable String run,
        @Nullable String undo,

        @YamlKey("for") @Shortened(least = "1s") @Range(from = "100ms", to = "30d") @Nullable
        Duration lasting)
        implements Checked {

    private static final Pattern TARGET = Pattern.compile("node-[1-9][0-9]{0,3}|leader|follower|minority|all");

    private static final Pattern WORKER = Pattern.compile("worker-([1-9][0-9]{0,3})");

    /** The kind of fault. */
    public enum Type {
        KILL("killed"),
        STOP("stopped"),
        PAUSE("paused"),
        ISOLATE("isolated"),
        DELAY("delayed"),
        FILL_DISK("filled the disk of"),
        RUN("ran");

        private final String done;

        Type(String done) {
            this.done = done;
        }

        /** Returns the past tense for a sentence such as {@code killed kafka-1}. */
        public String done() {
            return done;
        }

        /** Returns the key of this kind in a workload. */
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Enough for what a run of a few minutes writes. */
    private static final String DEFAULT_DISK = "2g";

    /** A smaller disk cannot hold a broker's journal. */
    private static final long LEAST_DISK_BYTES = 64L << 20;

    /** The disk is kept in a file, which has an upper limit. */
    private static final long MOST_DISK_BYTES = 1L << 40;

    private Map<Type, String> given() {
        Map<Type, String> given = new EnumMap<>(Type.class);
        add(given, Type.KILL, kill);
        add(given, Type.STOP, stop);
        add(given, Type.PAUSE, pause);
        add(given, Type.ISOLATE, isolate);
        add(given, Type.DELAY, delay);
        add(given, Type.FILL_DISK, fillDisk);
        add(given, Type.RUN, run);
        return given;
    }

    private static void add(Map<Type, String> given, Type kind, @Nullable String target) {
        if (target != null) {
            given.put(kind, target);
        }
    }

    public Type kind() {
        return given().keySet().stream().findFirst().orElse(Type.RUN);
    }

    /**
     * Returns the target: {@code node-N}, {@code leader} of the first partition of the first topic, {@code follower}:
     * a node that is not the leader, {@code minority}: as many nodes as a majority can do without, {@code all}; the
     * command for {@link Type#RUN}.
     */
    public String target() {
        return given().values().stream().findFirst().orElse("");
    }

    /** Returns the worker that the fault affects, from 1; empty if it affects the system. */
    public OptionalInt worker() {
        Matcher worker = WORKER.matcher(target());
        return kind() != Type.RUN && worker.matches()
                ? OptionalInt.of(Integer.parseInt(worker.group(1)))
                : OptionalInt.empty();
    }

    /** Returns whether the fault removes a worker for good: the run continues without it. */
    public boolean endsWorker() {
        return kind() == Type.KILL && worker().isPresent();
    }

    /** Returns the time by which the fault prolongs a round trip. */
    public Duration delayBy() {
        return by == null ? Duration.ZERO : by;
    }

    /** Returns the size of each node's data disk in a run with this fault, in bytes. */
    public long diskBytes() {
        return ProcessLimit.memoryBytes(size == null ? DEFAULT_DISK : size);
    }

    /** Returns the start, from the start of the measurement. */
    public Duration begin() {
        return at == null ? Duration.ZERO : at;
    }

    /** Returns the end, from the start of the measurement. */
    public Duration end() {
        return begin().plus(lasting == null ? Duration.ZERO : lasting);
    }

    @Override
    public void check(Problems problems) {
        problems.require(at != null, "at", "a fault needs a time from the start of the measurement, such as 60s", null);
        problems.require(lasting != null || endsWorker(), "for", "a fault needs a length, such as 20s", null);
        problems.require(
                lasting == null || !endsWorker(),
                "for",
                "must be absent when a worker is killed, since it is not restarted",
                lasting == null ? null : DurationText.format(lasting));
        List<Type> given = new ArrayList<>(given().keySet());
        given().forEach((kind, target) -> checkTarget(problems, kind, target));
        problems.require(
                run == null || undo != null, "undo", "a fault with run needs the command that undoes it", null);
        problems.require(run != null || undo == null, "undo", "needs run", undo);
        problems.require(delay == null || by != null, "by", "a fault with delay needs a time, such as 50ms", null);
        problems.require(delay != null || by == null, "by", "needs delay", by);
        problems.require(fillDisk != null || size == null, "size", "needs fill-disk", size);
        problems.require(
                size == null || isDisk(size), "size", "must be a size such as 512m or 2g, from 64m to 1t", size);
        if (given.isEmpty()) {
            problems.add("kill", "a fault needs one of kill, stop, pause, isolate, delay, fill-disk and run", null);
        } else if (given.size() > 1) {
            problems.add(
                    given.get(1).key(),
                    "must be absent with " + given.get(0).key() + ": a fault does one thing",
                    given().get(given.get(1)));
        }
    }

    private static void checkTarget(Problems problems, Type kind, String target) {
        boolean ofWorkers = kind == Type.KILL || kind == Type.PAUSE;
        problems.require(
                kind == Type.RUN
                        || TARGET.matcher(target).matches()
                        || (ofWorkers && WORKER.matcher(target).matches()),
                kind.key(),
                "must be node-1, node-2 and so on, leader, follower, minority or all"
                        + (ofWorkers ? ", or worker-1, worker-2 and so on" : ""),
                target);
    }

    private static boolean isDisk(String size) {
        try {
            long bytes = ProcessLimit.memoryBytes(size);
            return bytes >= LEAST_DISK_BYTES && bytes <= MOST_DISK_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
