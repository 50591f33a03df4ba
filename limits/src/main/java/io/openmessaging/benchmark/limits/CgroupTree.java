package io.openmessaging.benchmark.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The control groups of this process, as {@code /proc} reports them, and the places beside or below them where groups
 * can be made.
 *
 * @param hierarchies empty where no groups can be made
 */
record CgroupTree(CgroupFiles files, List<Hierarchy> hierarchies) {

    private static final System.Logger LOG = System.getLogger(CgroupTree.class.getName());

    private static final String SUBTREE_CONTROL = "cgroup.subtree_control";

    static final String CPU = "cpu";
    static final String MEMORY = "memory";

    /**
     * Fields of a line: id, parent, device, root, mount point, options, optional fields, a dash, type, source, options.
     */
    private static final Pattern MOUNT = Pattern.compile(
            "\\S+ \\S+ \\S+ (?<root>\\S+) (?<point>\\S+) .*- (?<type>cgroup2?) \\S+ (?<options>\\S+).*");

    /** One hierarchy: its mount point, and the group of this process in it. */
    record Hierarchy(Mechanism version, Set<String> controllers, Path mount, Path current) {}

    /**
     * Reads the groups of this process; returns no hierarchies if {@code /proc} has none or cannot be read.
     *
     * @param proc the folder of the process, such as {@code /proc/self}
     */
    static CgroupTree read(Path proc, CgroupFiles files) {
        List<Hierarchy> hierarchies = new ArrayList<>();
        try {
            List<String> groups = Files.readAllLines(proc.resolve("cgroup"));
            for (String mount : Files.readAllLines(proc.resolve("mountinfo"))) {
                hierarchy(mount, groups).ifPresent(hierarchies::add);
            }
        } catch (IOException e) {
            return new CgroupTree(files, List.of());
        }
        return new CgroupTree(files, hierarchies);
    }

    private static Optional<Hierarchy> hierarchy(String mountLine, List<String> groupLines) {
        Matcher mount = MOUNT.matcher(mountLine);
        if (!mount.matches()) {
            return Optional.empty();
        }
        boolean v2 = mount.group("type").equals("cgroup2");
        Set<String> options = new HashSet<>(Arrays.asList(mount.group("options").split(",")));
        Path point = Path.of(unescaped(mount.group("point")));
        // For example 4:memory:/some/group, or 0::/some/group for version 2.
        return groupLines.stream()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3)
                .filter(parts -> v2 ? parts[1].isEmpty() : options.containsAll(Arrays.asList(parts[1].split(","))))
                .findFirst()
                .flatMap(parts -> below(unescaped(mount.group("root")), parts[2]))
                .map(path -> new Hierarchy(
                        v2 ? Mechanism.CGROUP_V2 : Mechanism.CGROUP_V1, options, point, point.resolve(path)));
    }

    /** Returns a group's path relative to the mounted part of the tree; empty if it is outside of that part. */
    private static Optional<String> below(String root, String path) {
        String prefix = root.equals("/") ? "" : root;
        if (!path.startsWith(prefix) || path.contains("/..")) {
            return Optional.empty();
        }
        String rest = path.substring(prefix.length());
        return Optional.of(rest.startsWith("/") ? rest.substring(1) : rest);
    }

    /** Restores spaces, which the kernel writes as octal numbers. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ");
    }

    /**
     * Returns places where groups that limit the controller might be made, the most promising first. The caller has to
     * try whether they can.
     */
    List<Cgroup.Root> places(String controller) {
        List<Cgroup.Root> places = new ArrayList<>();
        for (Hierarchy hierarchy : hierarchies) {
            if (hierarchy.version == Mechanism.CGROUP_V2) {
                places.addAll(0, placesOfV2(hierarchy, controller));
            } else if (hierarchy.controllers.contains(controller)) {
                places.add(new Cgroup.Root(hierarchy.version, hierarchy.current, hierarchy.current));
            }
        }
        return places;
    }

    /**
     * Returns the places in a hierarchy of version 2. There, a group that holds processes cannot pass its controllers
     * on to groups within it, unless it is the root. So the nearest ancestor that does is a candidate as well, as long
     * as no limit of the groups between is lost. Places with both controllers come first, since a process can only be
     * in one.
     */
    private List<Cgroup.Root> placesOfV2(Hierarchy hierarchy, String controller) {
        delegateControllers(hierarchy.current);
        List<Cgroup.Root> places = new ArrayList<>();
        Path group = hierarchy.current;
        while (group != null && group.startsWith(hierarchy.mount)) {
            if (handedOn(group).contains(controller)) {
                places.add(new Cgroup.Root(hierarchy.version, group, hierarchy.current));
            }
            group = hasLimit(group) ? null : group.getParent();
        }
        // The sort is stable, so places with both controllers keep their order, and so do the others.
        places.sort(Comparator.comparing(place -> !handedOn(place.parent()).containsAll(List.of(CPU, MEMORY))));
        return places;
    }

    /**
     * Tries to pass all controllers of this process's group on to groups within it. Only the root group can do so while
     * it holds processes.
     */
    private void delegateControllers(Path group) {
        try {
            Set<String> has = words(group.resolve("cgroup.controllers"));
            String missing = Stream.of(CPU, MEMORY)
                    .filter(each -> has.contains(each) && !handedOn(group).contains(each))
                    .map(each -> "+" + each)
                    .collect(Collectors.joining(" "));
            if (!missing.isEmpty()) {
                files.write(group.resolve(SUBTREE_CONTROL), missing);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, () -> group + " cannot delegate more controllers: " + e);
        }
    }

    private Set<String> handedOn(Path group) {
        try {
            return words(group.resolve(SUBTREE_CONTROL));
        } catch (IOException e) {
            return Set.of();
        }
    }

    private Set<String> words(Path file) throws IOException {
        return new HashSet<>(Arrays.asList(files.read(file).strip().split("\\s+")));
    }

    private boolean hasLimit(Path group) {
        return isSet(group.resolve("cpu.max")) || isSet(group.resolve("memory.max"));
    }

    private boolean isSet(Path file) {
        try {
            return files.exists(file) && !files.read(file).startsWith("max");
        } catch (IOException e) {
            // A file that cannot be read might hold a limit.
            return true;
        }
    }
}
