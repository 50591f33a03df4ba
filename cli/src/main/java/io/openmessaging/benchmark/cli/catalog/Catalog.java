package io.openmessaging.benchmark.cli.catalog;

import io.openmessaging.benchmark.driver.Misspelling;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of an installation by their short names: {@code kafka} for {@code driver-kafka/kafka.yaml}, {@code
 * smoke/kafka-1kb} for {@code workloads/smoke/kafka-1kb.yaml}, {@code faults} for {@code workloads/faults/plan.yaml}.
 * The keys of a file tell its type. Reads the disk with each call.
 */
public final class Catalog {

    /** Type of a file. */
    public enum FileType {
        DRIVER("driver file", "drivers", "driverClass"),
        WORKLOAD("workload", "workloads", "topics"),
        PLAN("plan", "plans", "experiments");

        private final String label;
        private final String plural;
        private final Pattern sign;

        FileType(String label, String plural, String key) {
            this.label = label;
            this.plural = plural;
            this.sign = Pattern.compile("(?m)^" + key + ":");
        }

        /** Returns the name for sentences. */
        public String label() {
            return label;
        }

        /** Returns the plural for sentences, which is also an argument of {@code list}. */
        public String plural() {
            return plural;
        }
    }

    private static final String SUFFIX = ".yaml";
    private static final String WORKLOADS = "workloads";

    /** A plan of this name has its folder's name as its short name. */
    private static final String PLAN = "/plan";

    /** Maximum depth of workloads: {@code workloads/FOLDER/drivers/FILE}. */
    private static final int DEPTH = 3;

    /** The text is on the line of its key, or folded below it. */
    private static final Pattern DESCRIPTION =
            Pattern.compile("(?m)^description: *(?:>-?\n((?:  .*\n)+)|\"?(.*?)\"?$)");

    private static final Pattern COMMENT = Pattern.compile("\\A((?:#.*\n)+)");

    private final Path home;

    /** Creates the catalog of a checkout or an unpacked release. */
    public Catalog(Path home) {
        this.home = home;
    }

    /** Returns all files of a type, by name. */
    public List<Shipped> all(FileType kind) {
        return kind == FileType.DRIVER ? drivers() : below(home.resolve(WORKLOADS), kind);
    }

    /** Finds a file by its path, relative to the current folder or to the installation, or by its short name. */
    public Optional<Path> find(FileType kind, Path given) {
        if (isFile(given)) {
            return Optional.of(given);
        }
        if (isFile(home.resolve(given))) {
            return Optional.of(home.resolve(given));
        }
        String name = withoutSuffix(given.toString());
        return all(kind).stream()
                .filter(file -> file.name().equals(name))
                .map(Shipped::path)
                .findFirst();
    }

    /** Returns whether the path is a file or a pipe. */
    private static boolean isFile(Path path) {
        return Files.exists(path) && !Files.isDirectory(path);
    }

    /** Returns the error message for a path or name that {@link #find} does not find. */
    public String unknown(FileType kind, Path given) {
        if (Files.isDirectory(given)) {
            return Problems.shown(given.toString()) + ": is a folder, must be a " + kind.label() + ": name a file in it"
                    + firstIn(given, kind).map(file -> ", such as " + file).orElse("");
        }
        List<String> names = all(kind).stream().map(Shipped::name).toList();
        String asked = withoutSuffix(given.toString());
        String near = Misspelling.meant(asked, names)
                .or(() -> names.stream().filter(name -> name.startsWith(asked)).findFirst())
                .map(name -> ", did you mean " + name + "?")
                .orElse("");
        return Problems.shown(given.toString()) + ": there is no such " + kind.label() + near + " (bin/benchmark list "
                + kind.plural() + " shows those that come with it)";
    }

    private static Optional<Path> firstIn(Path folder, FileType kind) {
        return children(folder, "*" + SUFFIX).stream()
                .filter(file -> isA(kind, text(file)))
                .findFirst();
    }

    private static String withoutSuffix(String path) {
        return path.endsWith(SUFFIX) ? path.substring(0, path.length() - SUFFIX.length()) : path;
    }

    /** Returns all driver files. If two folders have a file of the same name, the short name includes the folder. */
    private List<Shipped> drivers() {
        Map<String, List<Path>> byName = new TreeMap<>();
        Map<Path, String> texts = new HashMap<>();
        for (Path folder : children(home, "driver-*")) {
            for (Path file : children(folder, "*" + SUFFIX)) {
                String text = text(file);
                if (isA(FileType.DRIVER, text)) {
                    texts.put(file, text);
                    byName.computeIfAbsent(withoutSuffix(name(file)), name -> new ArrayList<>())
                            .add(file);
                }
            }
        }
        List<Shipped> drivers = new ArrayList<>();
        byName.forEach((name, files) -> files.forEach(file -> {
            String folder = files.size() > 1 ? name(file.resolveSibling("")) + "/" : "";
            drivers.add(new Shipped(folder + name, file, about(texts.getOrDefault(file, ""))));
        }));
        return drivers;
    }

    private static List<Shipped> below(Path folder, FileType kind) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            List<Shipped> found = new ArrayList<>();
            files.filter(file -> name(file).endsWith(SUFFIX)).forEach(file -> {
                String text = text(file);
                if (isA(kind, text)) {
                    found.add(new Shipped(shortName(folder, file, kind), file, about(text)));
                }
            });
            found.sort(Comparator.comparing(Shipped::name));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String shortName(Path folder, Path file, FileType kind) {
        String name = withoutSuffix(folder.relativize(file).toString());
        return kind == FileType.PLAN && name.endsWith(PLAN) ? name.substring(0, name.length() - PLAN.length()) : name;
    }

    private static boolean isA(FileType kind, String text) {
        return kind.sign.matcher(text).find();
    }

    /** Returns the description, or else the first sentence of the comment at the start of the file. */
    private static String about(String text) {
        Matcher described = DESCRIPTION.matcher(text);
        if (described.find()) {
            String folded = described.group(1);
            return folded == null ? described.group(2) : folded.strip().replaceAll("\n *", " ");
        }
        Matcher comment = COMMENT.matcher(text);
        if (!comment.find()) {
            return "";
        }
        String words = comment.group(1)
                .lines()
                .map(line -> line.replaceFirst("^#+ *", ""))
                .takeWhile(line -> !line.isBlank())
                .collect(Collectors.joining(" "));
        return words.replaceFirst("\\. [A-Z].*", ".");
    }

    private static List<Path> children(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        try (var stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(Comparator.naturalOrder());
        return found;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Reads a file; empty if it cannot be read: then it is not listed, and a user who names it gets the reason. */
    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * A file that comes with the installation.
     *
     * @param name short name on the command line
     * @param path where it is
     * @param about its description in one line; empty if it has none
     */
    public record Shipped(String name, Path path, String about) {}
}
