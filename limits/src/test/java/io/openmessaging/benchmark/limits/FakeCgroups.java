package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Control groups made of ordinary files below a folder: a new group comes with its files, a group that holds a process
 * cannot be removed, a process is in only one group of a hierarchy, and only existing files can be written to.
 */
class FakeCgroups extends CgroupFiles {

    private static final List<String> V1_CPU =
            List.of("cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.shares", "cpu.stat");
    private static final List<String> V1_MEMORY = List.of(
            "memory.limit_in_bytes",
            "memory.memsw.limit_in_bytes",
            "memory.usage_in_bytes",
            "memory.failcnt",
            "memory.memsw.failcnt",
            "memory.stat",
            "memory.oom_control");
    private static final List<String> V2_CPU = List.of("cpu.max", "cpu.weight", "cpu.stat");
    private static final List<String> V2_MEMORY =
            List.of("memory.max", "memory.swap.max", "memory.current", "memory.events", "memory.stat");

    private final Path root;
    private final List<String> mountLines = new ArrayList<>();
    private final List<String> groupLines = new ArrayList<>();
    private final Map<Path, List<String>> filesBelow = new TreeMap<>();
    private final List<Path> readOnly = new ArrayList<>();
    private final List<Path> made = new ArrayList<>();

    FakeCgroups(Path root) {
        this.root = root;
    }

    /** Mounts a hierarchy of version 1, with this process in one of its groups. */
    FakeCgroups v1(String controller, String group) throws IOException {
        Path mount = root.resolve(controller);
        Files.createDirectories(mount.resolve(group.substring(1)));
        mountLines.add("32 31 0:29 / " + mount + " rw,relatime shared:9 - cgroup cgroup rw," + controller);
        groupLines.add("4:" + controller + ":" + group);
        filesBelow.put(mount, controller.equals("cpu") ? V1_CPU : V1_MEMORY);
        return this;
    }

    /** Mounts version 2, with this process in one of its groups; {@link #handsOn} lets groups hand on controllers. */
    FakeCgroups v2(String group) throws IOException {
        Path mount = root.resolve("unified");
        mountLines.add("41 31 0:38 / " + mount + " rw,relatime - cgroup2 cgroup2 rw,nsdelegate");
        groupLines.add("0::" + group);
        filesBelow.put(mount, List.of());
        Path path = mount;
        for (String name : ("." + group).split("/")) {
            path = path.resolve(name).normalize();
            Files.createDirectories(path);
            Files.writeString(path.resolve("cgroup.controllers"), "cpuset cpu io memory\n");
            Files.writeString(path.resolve("cgroup.subtree_control"), "\n");
        }
        // As in the kernel, this group holds a process, so it hands on nothing to groups below it.
        readOnly.add(path.resolve("cgroup.subtree_control"));
        return this;
    }

    FakeCgroups handsOn(String group, String controllers) throws IOException {
        Files.writeString(v2Group(group).resolve("cgroup.subtree_control"), controllers + "\n");
        return this;
    }

    FakeCgroups limited(String group, String file, String value) throws IOException {
        Files.writeString(v2Group(group).resolve(file), value + "\n");
        return this;
    }

    Path v2Group(String group) {
        return root.resolve("unified").resolve(group.substring(1));
    }

    /** Forbids new groups below a path. */
    FakeCgroups readOnly(String path) {
        readOnly.add(root.resolve(path));
        return this;
    }

    /** Creates the files of {@code /proc/self}; this process may run on four processors. */
    Path proc() throws IOException {
        Path proc = Files.createDirectories(root.resolve("proc"));
        Files.write(proc.resolve("mountinfo"), mountLines);
        Files.write(proc.resolve("cgroup"), groupLines);
        Files.writeString(proc.resolve("status"), "Name:\tjava\nCpus_allowed_list:\t0-2,7\n");
        return proc;
    }

    /** Returns all groups that were ever created. */
    List<Path> made() {
        return made;
    }

    @Override
    public void create(Path group) throws IOException {
        Path parent = Objects.requireNonNull(group.getParent());
        if (readOnly.contains(parent)) {
            throw new IOException("Read-only file system");
        }
        if (!Files.isDirectory(parent) || Files.exists(group)) {
            throw new FileAlreadyExistsException(group.toString());
        }
        Files.createDirectory(group);
        made.add(group);
        List<String> names = new ArrayList<>(List.of("cgroup.procs"));
        filesBelow.forEach((mount, files) -> {
            if (group.startsWith(mount)) {
                names.addAll(files);
            }
        });
        Path handedOn = group.resolveSibling("cgroup.subtree_control");
        if (Files.exists(handedOn)) {
            String controllers = Files.readString(handedOn);
            names.addAll(controllers.contains("cpu") ? V2_CPU : List.of());
            names.addAll(controllers.contains("memory") ? V2_MEMORY : List.of());
        }
        for (String name : names) {
            Files.createFile(group.resolve(name));
        }
    }

    @Override
    public void remove(Path group) throws IOException {
        for (long pid : members(group)) {
            if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                throw new IOException("Device or resource busy");
            }
        }
        try (var files = Files.list(group)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(group);
    }

    private static List<Long> members(Path group) throws IOException {
        Path processes = group.resolve("cgroup.procs");
        return Files.exists(processes)
                ? Files.readAllLines(processes).stream().map(Long::valueOf).toList()
                : List.of();
    }

    @Override
    public void write(Path file, String text) throws IOException {
        if (readOnly.contains(file)) {
            throw new IOException("Device or resource busy");
        }
        if (!Files.exists(file) && !file.endsWith("cgroup.procs")) {
            throw new IOException("no such file: " + file);
        }
        if (file.endsWith("cgroup.procs")) {
            move(file, text);
        } else {
            Files.writeString(file, text);
        }
    }

    private void move(Path to, String pid) throws IOException {
        for (Path group : made) {
            Path processes = group.resolve("cgroup.procs");
            if (Files.exists(processes) && mount(group).equals(mount(to))) {
                Files.write(
                        processes,
                        Files.readAllLines(processes).stream()
                                .filter(line -> !line.equals(pid))
                                .toList());
            }
        }
        List<String> lines = new ArrayList<>(Files.exists(to) ? Files.readAllLines(to) : List.of());
        lines.add(pid);
        Files.write(to, lines);
    }

    private Path mount(Path path) {
        return filesBelow.keySet().stream().filter(path::startsWith).findFirst().orElseThrow();
    }
}
