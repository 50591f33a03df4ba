package io.openmessaging.benchmark.limits;

import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The mechanisms that can enforce limits here. To see whether groups can be made, it makes one, moves a process into it
 * and removes it again: permissions alone do not tell. Thread-safe.
 */
public final class LimitMechanisms {

    /** Determined once, since this process may later be within limits itself. */
    private static final class OfThisMachine {
        static final LimitMechanisms INSTANCE =
                new LimitMechanisms(CgroupTree.read(SELF, new CgroupFiles()), SELF, true, taskset());
    }

    private static final System.Logger LOG = System.getLogger(LimitMechanisms.class.getName());

    private static final Path SELF = Path.of("/proc/self");

    /** Any value is good enough to see whether it is accepted. */
    private static final ProcessLimit TRIAL = new ProcessLimit(1.0, 64L << 20);

    private final CgroupFiles files;
    private final Optional<Cgroup.Root> cpus;
    private final Optional<Cgroup.Root> memory;
    private final Optional<Path> taskset;
    private final List<Integer> processors;
    private final boolean guarded;
    private final AtomicInteger groups = new AtomicInteger();
    private final AtomicInteger pinned = new AtomicInteger();
    private @Nullable String whyNoGroup;

    /**
     * Determines the mechanisms.
     *
     * @param tree where groups might be made
     * @param proc the folder of this process, such as {@code /proc/self}
     * @param guarded whether groups are removed when this JVM ends
     * @param taskset the program; empty if it is missing
     */
    LimitMechanisms(CgroupTree tree, Path proc, boolean guarded, Optional<Path> taskset) {
        this.files = tree.files();
        this.guarded = guarded;
        this.taskset = taskset;
        this.processors = allowedProcessors(proc);
        this.cpus = firstThatWorks(tree.places(CgroupTree.CPU), new ProcessLimit(TRIAL.cpus(), null));
        this.memory = firstThatWorks(tree.places(CgroupTree.MEMORY), new ProcessLimit(null, TRIAL.memoryBytes()));
    }

    /** Returns the mechanisms of this machine. The first call determines them, which takes some 10 ms. */
    public static LimitMechanisms ofThisMachine() {
        return OfThisMachine.INSTANCE;
    }

    /** Returns the mechanisms of this machine as if no control groups could be made. */
    public static LimitMechanisms withoutGroups() {
        return new LimitMechanisms(new CgroupTree(new CgroupFiles(), List.of()), SELF, false, taskset());
    }

    private static Optional<Path> taskset() {
        return ProgramPath.ofThisMachine().find("taskset");
    }

    /** Parses a line such as {@code Cpus_allowed_list: 0-3,8}. */
    private static List<Integer> allowedProcessors(Path proc) {
        try (Stream<String> lines = Files.lines(proc.resolve("status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .flatMap(line -> Stream.of(
                            line.substring(line.indexOf(':') + 1).strip().split(",")))
                    .map(part -> part.split("-"))
                    .flatMap(ends -> IntStream.rangeClosed(
                                    Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                            .boxed())
                    .toList();
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, () -> "cannot determine which processors may be used: " + e);
            return List.of();
        }
    }

    private Optional<Cgroup.Root> firstThatWorks(List<Cgroup.Root> places, ProcessLimit trial) {
        for (Cgroup.Root place : places) {
            try {
                tryOut(place, trial);
                return Optional.of(place);
            } catch (IOException e) {
                if (whyNoGroup == null) {
                    whyNoGroup = e.toString();
                }
                LOG.log(System.Logger.Level.DEBUG, () -> "no group in " + place.parent() + ": " + e);
            }
        }
        return Optional.empty();
    }

    private void tryOut(Cgroup.Root place, ProcessLimit trial) throws IOException {
        Cgroup group = make(place, "try", trial);
        Process member = new ProcessBuilder("/bin/sh", "-c", "read line").start();
        try {
            group.enter(member.pid());
        } finally {
            member.destroyForcibly();
            LimitGroup.remove(List.of(group.folder()), files);
        }
    }

    /**
     * Makes a group with its limits, or none.
     *
     * <p>A group inside this process's group has the weight of one thread, however many threads are in it. While the
     * harness is busy, a group of several processors would get less than its limit, and no result could tell why. So it
     * gets the weight of one thread for each processor of its limit. As a sibling of our group, it gets equal weight.
     */
    private Cgroup make(Cgroup.Root place, String name, ProcessLimit limit) throws IOException {
        Path folder = place.parent()
                .resolve("benchmark-" + name + "-" + ProcessHandle.current().pid() + "-" + groups.incrementAndGet());
        Double asked = limit.cpus();
        int threads = asked != null && place.parent().equals(place.home())
                ? (int) Math.ceil(Math.min(asked, Math.max(1, processors.size())))
                : 0;
        Cgroup group = new Cgroup(files, place, folder, limit);
        files.create(folder);
        try {
            group.write(threads);
            return group;
        } catch (IOException | RuntimeException e) {
            LimitGroup.remove(List.of(folder), files);
            throw e;
        }
    }

    /** Returns the mechanism that limits processors; empty if they cannot be limited. */
    Optional<Mechanism> forCpus() {
        if (cpus.isPresent()) {
            return cpus.map(Cgroup.Root::version);
        }
        return taskset.isPresent() && !processors.isEmpty() ? Optional.of(Mechanism.AFFINITY) : Optional.empty();
    }

    /** Returns the type of group that limits memory; empty if there is none. */
    Optional<Mechanism> forMemory() {
        return memory.map(Cgroup.Root::version);
    }

    /** Returns how many processors this process may run on; 0 if unknown. */
    int processorCount() {
        return processors.size();
    }

    /** Returns why groups cannot be made, as part of a sentence. */
    String whyNoGroup() {
        return "no control group (cgroup) can be created here" + (whyNoGroup == null ? "" : ": " + whyNoGroup);
    }

    /**
     * Makes a group of processes within limits.
     *
     * @param name common name of the processes
     * @param limit limit to enforce, as far as {@link #forCpus()} and {@link #forMemory()} allow
     * @param fromTheEnd whether whole processors are taken from the last one on, different ones each time, instead of
     *     from the first
     */
    LimitGroup open(String name, ProcessLimit limit, boolean fromTheEnd) throws IOException {
        // One group is enough if both are limited in the same place.
        Map<Cgroup.Root, ProcessLimit> parts = new LinkedHashMap<>();
        cpus.filter(place -> limit.cpus() != null)
                .ifPresent(place -> parts.put(place, new ProcessLimit(limit.cpus(), null)));
        memory.filter(place -> limit.memoryBytes() != null)
                .ifPresent(place -> parts.merge(
                        place, new ProcessLimit(null, limit.memoryBytes()), (cpuPart, memoryPart) -> limit));
        List<Cgroup> made = new ArrayList<>();
        try {
            for (Map.Entry<Cgroup.Root, ProcessLimit> part : parts.entrySet()) {
                made.add(make(part.getKey(), name, part.getValue()));
            }
            List<Path> folders = made.stream().map(Cgroup::folder).toList();
            Optional<GroupGuard> guard =
                    guarded && !made.isEmpty() ? Optional.of(GroupGuard.of(folders)) : Optional.empty();
            return new LimitGroup(name, limit, files, made, affinity(limit, fromTheEnd), guard);
        } catch (IOException | RuntimeException e) {
            LimitGroup.remove(made.stream().map(Cgroup::folder).toList(), files);
            throw e;
        }
    }

    private Optional<LimitGroup.Affinity> affinity(ProcessLimit limit, boolean fromTheEnd) {
        Double asked = limit.cpus();
        if (asked == null || forCpus().orElse(null) != Mechanism.AFFINITY) {
            return Optional.empty();
        }
        int count = Math.min(processors.size(), (int) Math.ceil(asked));
        int first = fromTheEnd ? pinned.getAndAdd(count) : 0;
        List<Integer> inOrder = new ArrayList<>(processors);
        if (fromTheEnd) {
            Collections.reverse(inOrder);
        }
        String chosen = IntStream.range(first, first + count)
                .mapToObj(i -> inOrder.get(i % inOrder.size()).toString())
                .collect(Collectors.joining(","));
        return Optional.of(new LimitGroup.Affinity(
                taskset.orElseThrow(),
                chosen,
                processors.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }
}
