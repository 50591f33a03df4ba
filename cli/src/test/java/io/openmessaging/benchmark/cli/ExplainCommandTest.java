package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.metric.SharedDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ExplainCommandTest {

    /** The one file that makes every finding, by calls that {@code KIND} matches. */
    private static final Path FINDINGS =
            Path.of("../benchmark-framework/src/main/java/io/openmessaging/benchmark/result/Finding.java");

    private static final Pattern KIND = Pattern.compile("\\b(?:of|invalid|note)\\(\\s*\"(\\w+)\"");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @Test
    void everyFindingIsExplainedWithWhatToDo() throws IOException {
        Stream<String> kinds =
                KIND.matcher(Files.readString(FINDINGS)).results().map(found -> found.group(1));
        assertThat(ExplainCommand.paragraphs().keySet())
                .containsExactlyInAnyOrderElementsOf(kinds.distinct().toList());
        assertThat(ExplainCommand.paragraphs().values())
                .allSatisfy(text -> assertThat(text).matches("(?s)(Invalidates|Misses|A? ?[Nn]ote).*\nDo: .+\\."));
    }

    @Test
    void theSharedListsNameFindingsThatThereAre() {
        assertThat(SharedDefinitions.read("findings.yaml").propertyNames())
                .isNotEmpty()
                .allSatisfy(list -> assertThat(ExplainCommand.paragraphs().keySet())
                        .containsAll(SharedDefinitions.texts("findings.yaml", list)));
    }

    /** A terminal shows the target of a link in place of its words, so links may not be part of a sentence. */
    @Test
    void linksStandInBrackets() {
        assertThat(ExplainCommand.paragraphs().values())
                .allSatisfy(text -> assertThat(text).doesNotContainPattern("[^(]docs/"));
    }

    @Test
    void whatInvalidatesSaysSo() throws IOException {
        Stream<String> invalid = Pattern.compile("invalid\\(\"(\\w+)\"\\)")
                .matcher(Files.readString(FINDINGS))
                .results()
                .map((MatchResult found) -> found.group(1));
        assertThat(invalid)
                .isNotEmpty()
                .allSatisfy(kind ->
                        assertThat(ExplainCommand.paragraphs().get(kind)).startsWith("Invalidates"));
    }

    @Test
    void printsWhatIsAskedFor() throws IOException {
        try (TestInstallation installation = new TestInstallation(folder)) {
            Outcome outcome = installation.run("explain", "MessagesLost");
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.out()).startsWith("MessagesLost\nInvalidates.").contains("\nDo: ", "docs/GUARANTEES.md");
        }
    }

    @Test
    void caseAndDashesDoNotMatter() throws IOException {
        try (TestInstallation installation = new TestInstallation(folder)) {
            assertThat(installation.run("explain", "targetratemissed").out()).startsWith("TargetRateMissed\n");
            assertThat(installation.run("explain", "messages-lost").out()).contains("\nMessagesLost\n");
        }
    }

    @Test
    void printsThoseOfAResult() throws IOException {
        try (TestInstallation installation = new TestInstallation(folder)) {
            String result = installation.file(
                    "result.json", "{\"findings\": [{\"kind\": \"SendsLate\"}, {\"kind\": \"MessagesLost\"}]}");
            assertThat(installation.run("explain", result).out()).contains("SendsLate\n", "MessagesLost\n");
            Outcome none = installation.run("explain", "no-such.json");
            assertThat(none.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(none.err())
                    .isEqualTo(
                            "benchmark: explain: no-such.json: must be a result file: there is no" + " no-such.json\n");
        }
    }

    @Test
    void listsAllWithoutACode() throws IOException {
        try (TestInstallation installation = new TestInstallation(folder)) {
            Outcome outcome = installation.run("explain");
            assertThat(outcome.out().lines())
                    .hasSameSizeAs(ExplainCommand.paragraphs().keySet());
            assertThat(outcome.out().lines())
                    .allSatisfy(line -> assertThat(line).matches("\\w+ +(Invalidates|Misses|A? ?[Nn]ote).*[.…]"));
        }
    }

    @Test
    void suggestsTheCodeThatWasMeant() throws IOException {
        try (TestInstallation installation = new TestInstallation(folder)) {
            Outcome outcome = installation.run("explain", "MessageLost");
            assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(outcome.err())
                    .isEqualTo("benchmark: explain: MessageLost: unknown finding, did you mean 'MessagesLost'?\n");
        }
    }
}
