package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.YamlKey;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that is done to the system under test in the course of the measurement: one of {@code kill}, {@code stop},
 * {@code pause}, {@code run}.
 *
 * @param at when it begins, from the begin of the measurement on
 * @param kill the nodes whose processes are killed (SIGKILL), and started again on their own data in the end
 * @param stop the nodes that are asked to end in order (SIGTERM), and started again in the end
 * @param pause the nodes whose processes stand still (SIGSTOP), and go on in the end (SIGCONT)
 * @param run a command of the shell, for what is done to a system elsewhere
 * @param undo the command that takes it back
 * @param lasting how long it lasts
 */
public record Fault(
        @Shortened(least = "1s") @Range(from = "0s", to = "30d") @Nullable
        Duration at,

        @Nullable String kill,
        @Nullable String stop,
        @Nullable String pause,
        @Nullable String run,
        @Nullable String undo,

        @YamlKey("for") @Shortened(least = "1s") @Range(from = "100ms", to = "30d") @Nullable
        Duration lasting)
        implements Checked {

    private static final Pattern TARGET = Pattern.compile("node-[1-9][0-9]{0,3}|leader|follower|minority|all");

    /** What is done. */
    public enum Kind {
        KILL("killed"),
        STOP("stopped"),
        PAUSE("paused"),
        RUN("ran");

        private final String done;

        Kind(String done) {
            this.done = done;
        }

        /** For a sentence such as {@code killed kafka-1}. */
        public String done() {
            return done;
        }
    }

    /** What is done. */
    public Kind kind() {
        return kill != null ? Kind.KILL : stop != null ? Kind.STOP : pause != null ? Kind.PAUSE : Kind.RUN;
    }

    /**
     * To what: {@code node-N}, {@code leader} of the first partition of the first topic, {@code follower}: one that is not,
     * {@code minority}: as many as a majority can do without, {@code all}; the command for {@link Kind#RUN}.
     */
    public String target() {
        String target = kill != null ? kill : stop != null ? stop : pause != null ? pause : run;
        return target == null ? "" : target;
    }

    /** When it begins, from the begin of the measurement on. */
    public Duration begin() {
        return at == null ? Duration.ZERO : at;
    }

    /** When it ends, from the begin of the measurement on. */
    public Duration end() {
        return begin().plus(lasting == null ? Duration.ZERO : lasting);
    }

    @Override
    public void check(Problems problems) {
        problems.require(at != null, "at", "a fault needs a time from the begin of the measurement, such as 60s", null);
        problems.require(lasting != null, "for", "a fault needs a length, such as 20s", null);
        List<String> given = new ArrayList<>();
        checkTarget(problems, given, "kill", kill);
        checkTarget(problems, given, "stop", stop);
        checkTarget(problems, given, "pause", pause);
        if (run != null) {
            given.add("run");
            problems.require(undo != null, "undo", "a fault with run needs the command that takes it back", null);
        } else {
            problems.require(undo == null, "undo", "goes with run", undo);
        }
        if (given.isEmpty()) {
            problems.add("kill", "a fault needs one of kill, stop, pause and run", null);
        } else if (given.size() > 1) {
            problems.add(given.get(1), "must be absent with " + given.get(0) + ": a fault does one thing", target());
        }
    }

    private static void checkTarget(Problems problems, List<String> given, String key, @Nullable String target) {
        if (target != null) {
            given.add(key);
            problems.require(
                    TARGET.matcher(target).matches(),
                    key,
                    "must be node-1, node-2 and so on, leader, follower, minority or all",
                    target);
        }
    }
}
