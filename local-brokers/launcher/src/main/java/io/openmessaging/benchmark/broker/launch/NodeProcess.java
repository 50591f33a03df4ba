package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One running process of a broker.
 *
 * <p>The command is expected to guard itself: when its standard input, a pipe held by this JVM and no other process,
 * ends, the command ends too and removes the broker's folder; a byte on it releases the command from that. For the JVM
 * this is what {@link io.openmessaging.benchmark.broker.guard.NodeGuard} does.
 */
final class NodeProcess {

    /**
     * Runs a command in a session of its own where the system can do that, and deaf to Ctrl-C and the closing of the
     * terminal in any case: the harness decides in its own time when its broker ends.
     */
    private static final String DETACH =
            "trap '' HUP INT; command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /** Would change the broker's JVM behind the back of the settings that are kept with a result. */
    private static final Set<String> REMOVED_VARIABLES =
            Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    private final String name;
    private final Path log;
    private final Process process;

    private NodeProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    static NodeProcess start(String name, List<String> command, Path folder, Path log) throws LocalBrokerException {
        List<String> detached = new ArrayList<>(List.of("/bin/sh", "-c", DETACH, name));
        detached.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(detached)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeAll(REMOVED_VARIABLES);
        try {
            return new NodeProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new LocalBrokerException("cannot start a process for " + name + ": " + e.getMessage(), e);
        }
    }

    RunningBroker.Node describe() {
        return new RunningBroker.Node(name, process.pid(), log);
    }

    /** Says how it ended, with the end of its log; empty while it runs. */
    Optional<String> failure() {
        if (process.isAlive()) {
            return Optional.empty();
        }
        return Optional.of(name + " (pid " + process.pid() + ") ended by itself with exit code " + process.exitValue()
                + "; its log says:\n" + LogEnd.cause(log));
    }

    /** Lets it live on when this JVM ends. */
    void release() throws LocalBrokerException {
        try (var guard = process.getOutputStream()) {
            guard.write('\n');
        } catch (IOException e) {
            throw new LocalBrokerException("cannot detach " + name + ": " + e.getMessage(), e);
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Whether it has ended before the limit. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
