package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks every command and every link in the documents: runs by {@code --dry-run}, other commands by their options.
 */
class DocumentedCommandsIT extends WithBenchmark {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```[a-z]*\n(.*?)^```");
    private static final Pattern LINK = Pattern.compile("\\[[^]\n]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
    private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-z-]*");

    /** A word; text in single quotes is one word. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static final Set<String> SUBCOMMANDS =
            Set.of("judge", "calibrate", "workers", "list", "doctor", "explain", "completion");

    /** Separate programs, some of which need Python. */
    private static final Set<String> SCRIPTS = Set.of("report", "compare", "broker");

    /** Commands that have a dry run as well. */
    private static final Set<String> RUNS = Set.of("run", "plan", "quick");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(Benchmark.HOME)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !Benchmark.HOME
                            .relativize(file)
                            .toString()
                            .matches("(.*/)?(target|\\..*|node_modules|src|build|results)/.*|CHANGELOG.md"))
                    .sorted()
                    .toList();
        }
    }

    /** The commands in a document that are on lines of their own. */
    private static List<String> commands(Path document, String program) throws IOException {
        List<String> commands = new ArrayList<>();
        Matcher blocks = BLOCK.matcher(Files.readString(document));
        while (blocks.find()) {
            blocks.group(1)
                    .replace("\\\n", " ")
                    .lines()
                    .map(line -> line.replaceFirst("\\s+# .*|\\s{3,}\\(.*", "").strip())
                    .filter(line -> line.startsWith("bin/" + program + " "))
                    .forEach(commands::add);
        }
        return commands;
    }

    private static List<String> words(String command) {
        return WORD.matcher(command)
                .results()
                .map((MatchResult word) -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
    }

    @Test
    void runsAreAsTheyAreWritten() throws Exception {
        // Readers have made these files from ours, or brought them along.
        Path driver = Benchmark.HOME.resolve("driver-kafka/kafka.yaml");
        Files.copy(driver, folder.resolve("my-kafka.yaml"));
        Files.copy(driver, folder.resolve("my-omb-kafka.yaml"));
        Files.copy(driver, folder.resolve("my-omb-driver.yaml"));
        Files.copy(
                Benchmark.HOME.resolve("workloads/omb/simple-workload.yaml"), folder.resolve("my-omb-workload.yaml"));
        List<String> seen = new ArrayList<>();
        for (Path document : documents()) {
            for (String command : new TreeSet<>(commands(document, "benchmark"))) {
                List<String> words = new ArrayList<>(words(command));
                words.remove(0);
                boolean template = command.matches(".*(…|[A-Z]{3,}|--workers|--judge|--csv|-c results).*");
                boolean without = SUBCOMMANDS.contains(words.get(0)) || SCRIPTS.contains(words.get(0));
                if (template || without || words.contains("--help")) {
                    continue;
                }
                words.add("--dry-run");
                words.replaceAll(this::inTheFolder);
                Benchmark.Outcome outcome = benchmark.runInProcess(words.toArray(String[]::new));
                assertThat(outcome.exitCode())
                        .as("%s: %s\n%s", Benchmark.HOME.relativize(document), command, outcome.all())
                        .isZero();
                seen.add(command);
            }
        }
        assertThat(seen).hasSizeGreaterThan(10);
    }

    /** Resolves a reader's own file, which a command in this process would not find in the test's folder. */
    private String inTheFolder(String word) {
        return word.startsWith("my-") ? folder.resolve(word).toString() : word;
    }

    @Test
    void optionsAreKnown() throws Exception {
        StringBuilder help = new StringBuilder(benchmark.runInProcess("--help").out());
        for (String subcommand :
                Stream.concat(SUBCOMMANDS.stream(), RUNS.stream()).toList()) {
            help.append(benchmark.runInProcess(subcommand, "--help").out());
        }
        help.append(benchmark.runInProcess("workers", "start", "--help").out());
        for (Path document : documents()) {
            for (String command : commands(document, "benchmark")) {
                if (SCRIPTS.contains(words(command).get(1))) {
                    continue;
                }
                OPTION.matcher(command)
                        .results()
                        .map(MatchResult::group)
                        .forEach(option -> assertThat(help.toString())
                                .as("%s: %s", document, command)
                                .contains(option));
            }
        }
    }

    @Test
    void linksLeadSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            LINK.matcher(Files.readString(document).replaceAll("(?ms)^```.*?^```", ""))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !link.matches("[a-z]+:.*"))
                    .filter(link -> !leadsSomewhere(document, link))
                    .forEach(link -> broken.add(Benchmark.HOME.relativize(document) + ": " + link));
        }
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(Path document, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        if (!Files.exists(target)) {
            return false;
        }
        return parts.length == 1 || Files.isDirectory(target) || anchors(target).contains(parts[1]);
    }

    /** Anchors as GitHub makes them from headings. */
    private static List<String> anchors(Path document) {
        try {
            return HEADING.matcher(Files.readString(document))
                    .results()
                    .map(heading -> heading.group(1)
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^\\p{L}\\p{N} _-]", "")
                            .replace(' ', '-'))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
