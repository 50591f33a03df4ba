package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A control group of version 2 that limits nothing. The kernel records for each socket the group of the process that
 * created it, so that a firewall can tell the connections of one node from all others. Thread-safe.
 */
public final class SocketGroup implements AutoCloseable {

    private static final Path SELF = Path.of("/proc/self");

    /** Folder below which the firewall program looks for groups, wherever those of version 2 are mounted. */
    private static final Path FIREWALL_ROOT = Path.of("/sys/fs/cgroup");

    private static final AtomicInteger GROUPS = new AtomicInteger();

    private final CgroupFiles files;
    private final Path mount;
    private final Path folder;

    /** Removes the group if this JVM cannot; empty if the group belongs to someone else. */
    private final Optional<GroupGuard> guard;

    private SocketGroup(CgroupFiles files, Path mount, Path folder, Optional<GroupGuard> guard) {
        this.files = files;
        this.mount = mount;
        this.folder = folder;
        this.guard = guard;
    }

    /**
     * Makes a group inside this process's group, or uses that of the limits if it is of version 2: a process cannot be
     * in two of them.
     *
     * @param name common name of its processes
     * @param limits limits of the processes; empty if they have none
     * @throws IOException if there is no control group of version 2 here, or none can be made; the message is a
     *     sentence
     */
    public static SocketGroup open(String name, Optional<LimitGroup> limits) throws IOException {
        CgroupFiles files = new CgroupFiles();
        CgroupTree.Hierarchy hierarchy = CgroupTree.read(SELF, files).hierarchies().stream()
                .filter(each -> each.version() == Mechanism.CGROUP_V2)
                .findFirst()
                .orElseThrow(() -> new IOException("this machine has no control groups of version 2 (cgroup2)"));
        Optional<Path> taken = limits.flatMap(LimitGroup::folderOfVersion2);
        if (taken.isPresent()) {
            return new SocketGroup(files, hierarchy.mount(), taken.get(), Optional.empty());
        }
        long pid = ProcessHandle.current().pid();
        Path folder =
                hierarchy.current().resolve("benchmark-sockets-" + name + "-" + pid + "-" + GROUPS.incrementAndGet());
        try {
            files.create(folder);
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "permission denied" : e.toString();
            throw new IOException("the control group " + folder + " cannot be created: " + reason, e);
        }
        try {
            return new SocketGroup(files, hierarchy.mount(), folder, Optional.of(GroupGuard.of(List.of(folder))));
        } catch (IOException e) {
            files.remove(folder);
            throw e;
        }
    }

    /**
     * Returns the command line that runs a command in the group from its first instruction on; its process stays the
     * same. Returns the command itself if the limits already move it there.
     */
    public List<String> command(List<String> command) {
        if (guard.isEmpty()) {
            return command;
        }
        return entered(command);
    }

    /** Returns the command line that runs a command in the group, for a process that the limits do not move there. */
    public List<String> entered(List<String> command) {
        List<String> all = new ArrayList<>(LimitGroup.entering(List.of(folder)));
        all.addAll(command);
        return all;
    }

    /** Returns the processes in the group. */
    public List<Long> pids() throws IOException {
        return files.processes(folder);
    }

    /** Returns the part of an nftables rule that matches sockets of this group. */
    public String match() {
        int level = mount.relativize(folder).getNameCount();
        return "socket cgroupv2 level " + level + " \"" + FIREWALL_ROOT.relativize(folder) + "\"";
    }

    /** Removes the group, unless it belongs to the limits; processes still in it are killed after a second. */
    @Override
    public void close() {
        guard.ifPresent(watching -> {
            try {
                LimitGroup.remove(List.of(folder), files);
                watching.release();
            } catch (IOException e) {
                throw new UncheckedIOException(String.valueOf(e.getMessage()), e);
            }
        });
    }
}
