package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.KnownKeys;
import io.openmessaging.benchmark.cli.console.ConsoleRow;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.driver.Misspelling;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code bin/benchmark explain}: the paragraphs of docs/FINDINGS.md. */
@Command(
        name = ExplainCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        usageHelpAutoWidth = true,
        description = "Explains what a finding means and what to do about it; without a code, lists all of them.",
        footer = {
            "",
            "Exit code: 0 explained, 2 there is no such finding.",
            "",
            "  bin/benchmark explain TargetRateMissed"
        })
final class ExplainCommand implements Callable<Integer> {

    static final String NAME = "explain";

    private static final int CODE_WIDTH = 22;
    private static final String RESULT = ".json";
    private static final String PAGE = "FINDINGS.md";

    /** A heading with the codes that a paragraph explains, and the paragraph. */
    private static final Pattern PARAGRAPH = Pattern.compile("(?ms)^### (\\w+(?:, \\w+)*)\n(.*?)(?=^#|\\z)");

    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\(([^)]*)\\)");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "CODE",
            description = "The kind of a finding, such as SendsLate, or a result file for all of its findings.")
    private List<String> codes = List.of();

    @Override
    public Integer call() throws UserException {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> paragraphs = paragraphs();
        int width = ConsoleRow.width(spec);
        if (codes.isEmpty()) {
            paragraphs.forEach((code, text) ->
                    out.println(ConsoleRow.of(code, CODE_WIDTH, text.replaceFirst("(?s)\n.*", ""), width)));
            return ExitCode.OK;
        }
        for (String given : inResults(codes)) {
            // Case and dashes do not matter.
            String code = Misspelling.meant(given, paragraphs.keySet(), 0)
                    .orElseThrow(() -> new UserException("benchmark: explain: " + Problems.shown(given) + ": "
                            + KnownKeys.unknownRule("finding", given, paragraphs.keySet())));
            out.println(code);
            paragraphs.getOrDefault(code, "").lines().forEach(line -> out.println(ConsoleRow.wrapped(line, "", width)));
        }
        return ExitCode.OK;
    }

    /** Returns the codes; replaces each result file with the codes of its findings. */
    private static Set<String> inResults(List<String> given) throws UserException {
        Set<String> codes = new LinkedHashSet<>();
        for (String each : given) {
            if (!each.endsWith(RESULT)) {
                codes.add(each);
                continue;
            }
            try {
                JsonMapper.shared()
                        .readTree(Files.readAllBytes(Path.of(each)))
                        .path("findings")
                        .forEach(finding -> codes.add(finding.path("kind").asString("")));
            } catch (IOException | JacksonException e) {
                throw new UserException("benchmark: explain: " + Problems.shown(each) + ": must be a result file: "
                        + (e instanceof IOException error ? ResultFiles.reason(error) : "it is not JSON"));
            }
        }
        return codes;
    }

    /** Returns all paragraphs by their codes, in the order of the page. */
    static Map<String, String> paragraphs() {
        Map<String, String> paragraphs = new LinkedHashMap<>();
        Matcher matcher = PARAGRAPH.matcher(page());
        while (matcher.find()) {
            String text = LINK.matcher(matcher.group(2).strip()).replaceAll("docs/$2");
            for (String code : matcher.group(1).split(", ")) {
                paragraphs.put(code, text.replace("`", ""));
            }
        }
        return paragraphs;
    }

    private static String page() {
        try (@Nullable InputStream page = ExplainCommand.class.getResourceAsStream(PAGE)) {
            if (page == null) {
                throw new IllegalStateException(PAGE + " is missing beside " + ExplainCommand.class.getName());
            }
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
