package io.openmessaging.benchmark.limits;

import io.openmessaging.benchmark.program.ProgramRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Processes that share one limit: those started by {@link #command} or added by {@link #enter}, and all their
 * descendants. Thread-safe.
 */
public final class LimitGroup implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LimitGroup.class.getName());

    private static final Duration REMOVE_LIMIT = Duration.ofSeconds(10);

    /**
     * A killed process takes a moment to leave its group; one that is still there after this will not leave by itself.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration TOOL_LIMIT = Duration.ofSeconds(10);

    private static final int POLL_MS = 20;

    /** Moves the shell into groups and becomes the command. */
    private static final String ENTER = """
            groups=$1
            shift
            while [ "$groups" -gt 0 ]; do
                echo $$ >"$1/cgroup.procs" || exit 1
                shift
                groups=$((groups - 1))
            done
            exec "$@"
            """;

    /**
     * Processors to run on, in the notation of {@code taskset --cpu-list}.
     *
     * @param taskset the program
     * @param before processors for a process that leaves the group
     */
    record Affinity(Path taskset, String processors, String before) {}

    private final String name;
    private final ProcessLimit limit;
    private final CgroupFiles files;
    private final List<Cgroup> groups;
    private final Optional<Affinity> affinity;
    private final Optional<GroupGuard> guard;
    private boolean closed;

    LimitGroup(
            String name,
            ProcessLimit limit,
            CgroupFiles files,
            List<Cgroup> groups,
            Optional<Affinity> affinity,
            Optional<GroupGuard> guard) {
        this.name = name;
        this.limit = limit;
        this.files = files;
        this.groups = List.copyOf(groups);
        this.affinity = affinity;
        this.guard = guard;
    }

    /** Returns the common name of the processes, such as {@code kafka-1}. */
    public String name() {
        return name;
    }

    public ProcessLimit limit() {
        return limit;
    }

    /** Returns the folders of the control groups; empty if there are none. */
    public List<Path> folders() {
        return groups.stream().map(Cgroup::folder).toList();
    }

    /**
     * Returns the folder of the group of version 2, by which the kernel tells sockets of its processes from others;
     * empty if there is none.
     */
    Optional<Path> folderOfVersion2() {
        return groups.stream()
                .filter(group -> group.place().version() == Mechanism.CGROUP_V2)
                .map(Cgroup::folder)
                .findFirst();
    }

    /**
     * Returns the start of a command line that moves the process into groups and then executes the command that
     * follows.
     */
    static List<String> entering(List<Path> folders) {
        List<String> entering =
                new ArrayList<>(List.of("/bin/sh", "-c", ENTER, "enter-groups", Integer.toString(folders.size())));
        folders.forEach(folder -> entering.add(folder.toString()));
        return entering;
    }

    /**
     * Returns the command line that runs a command within the limits from its first instruction on; its process stays
     * the same.
     */
    public List<String> command(List<String> command) {
        List<String> limited = new ArrayList<>();
        if (!groups.isEmpty()) {
            limited.addAll(entering(folders()));
        }
        affinity.ifPresent(to -> limited.addAll(List.of(to.taskset().toString(), "--cpu-list", to.processors())));
        limited.addAll(command);
        return limited;
    }

    /** Moves a running process within the limits, with all its threads. Memory that it had before is not counted. */
    public void enter(long pid) throws IOException {
        for (Cgroup group : groups) {
            group.enter(pid);
        }
        if (affinity.isPresent()) {
            pin(affinity.get(), affinity.get().processors(), pid);
        }
    }

    public void leave(long pid) throws IOException {
        for (Cgroup group : groups) {
            group.leave(pid);
        }
        if (affinity.isPresent()) {
            pin(affinity.get(), affinity.get().before(), pid);
        }
    }

    private static void pin(Affinity affinity, String processors, long pid) throws IOException {
        try {
            ProgramRun run = ProgramRun.of(
                    new ProcessBuilder(
                            affinity.taskset().toString(), "--all-tasks", "--cpu-list", "--pid", processors, "" + pid),
                    "",
                    TOOL_LIMIT);
            if (run.exitCode().isEmpty()) {
                throw new IOException("taskset did not end within " + TOOL_LIMIT.toSeconds() + " s");
            }
            if (!run.succeeded()) {
                throw new IOException("taskset failed: " + String.join(" ", run.output()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for taskset", e);
        }
    }

    /** Returns the current counters; never throws, and leaves out what cannot be read. */
    public ControlGroupCounters counters() {
        ControlGroupCounters counters = ControlGroupCounters.NONE;
        for (Cgroup group : groups) {
            try {
                counters = counters.with(group.counters());
            } catch (IOException | NumberFormatException e) {
                LOG.log(System.Logger.Level.DEBUG, () -> "the counters of " + group.folder() + " cannot be read: " + e);
            }
        }
        return counters;
    }

    /** Returns whether the kernel has killed one of the processes because their memory was at its limit. */
    public boolean killedForMemory() {
        Long kills = counters().outOfMemoryKills();
        return kills != null && kills > 0;
    }

    /** Lets the groups outlive this JVM; the caller has to remove them with {@link #remove}. */
    public void release() throws IOException {
        if (guard.isPresent()) {
            guard.get().release();
        }
    }

    /** Kills all processes that are still in the groups, and removes the groups. Does nothing when called again. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            remove(folders(), files);
            release();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /**
     * Removes groups left behind by a process that has ended, and kills what is still in them.
     *
     * @throws IOException if one of them still exists after 10 s
     */
    public static void remove(List<Path> folders) throws IOException {
        remove(folders, new CgroupFiles());
    }

    static void remove(List<Path> folders, CgroupFiles files) throws IOException {
        long beginNs = System.nanoTime();
        boolean interrupted = false;
        for (Path folder : folders) {
            while (files.exists(folder)) {
                try {
                    files.remove(folder);
                } catch (IOException e) {
                    long waitedNs = System.nanoTime() - beginNs;
                    if (waitedNs > REMOVE_LIMIT.toNanos()) {
                        throw new IOException("the control group " + folder + " cannot be removed: " + e, e);
                    }
                    if (waitedNs > GRACE.toNanos()) {
                        killMembers(folder, files);
                    }
                    interrupted |= pause();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void killMembers(Path folder, CgroupFiles files) throws IOException {
        long own = ProcessHandle.current().pid();
        files.processes(folder).stream()
                .filter(pid -> pid != own)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** Sleeps; returns whether it was interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(POLL_MS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
