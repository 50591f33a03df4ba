package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.config.WorkloadFile;
import io.openmessaging.benchmark.result.PlanPlace;
import io.openmessaging.benchmark.result.ResourceLimits;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.RunResult;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {

    private static final ZoneId ZONE = ZoneId.of("Asia/Kolkata");
    private static final PlanPlace PLACE = new PlanPlace("plan", "experiment", "system", "case", Map.of(), 1, 1);

    @TempDir
    private Path folder;

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static RunResult named(String workloadFile, String driver) {
        RunResult result = ResultFixture.failed();
        WorkloadFile workload = result.workload();
        return new RunResult(
                result.runId(),
                result.verdict(),
                result.findings(),
                result.failure(),
                new WorkloadFile(Path.of(workloadFile), workload.workload(), workload.payload(), workload.settings()),
                new RunResult.Driver(driver, "a.Driver", "1", Map.of()),
                null,
                result.environment(),
                result.beginNs(),
                result.endNs(),
                result.headerLayout(),
                null,
                result.phases(),
                result.warmup(),
                ResultFixture.periods(result.measured()),
                null,
                null,
                null,
                null,
                Map.of(),
                ResourceLimits.NONE,
                RunResult.Course.PLAIN,
                List.of(),
                null);
    }

    @Test
    void namesAFileAfterWorkloadFileDriverAndLocalTime() throws IOException {
        ResultFiles files = ResultFiles.inFolder(folder.resolve("new/results"), ZONE);
        RunResult result = ResultFixture.twoSubscriptions();
        files.check();

        Path file = files.write(result);

        assertThat(file).isEqualTo(folder.resolve("new/results/two-subscriptions-Kafka-2026-11-21-15-46-05.json"));
        assertThat(file).hasContent(ResultJson.render(result));
        assertThat(ResultFiles.logOf(file)).hasContent(HdrLog.render(result));
        assertThat(filesIn(folder.resolve("new/results")))
                .containsExactly(
                        "two-subscriptions-Kafka-2026-11-21-15-46-05.hlog",
                        "two-subscriptions-Kafka-2026-11-21-15-46-05.json");
    }

    @Test
    void addsANumberInsteadOfOverwriting() throws IOException {
        ResultFiles files = ResultFiles.inFolder(folder, ZONE);
        Path first = files.write(ResultFixture.failed());
        Files.writeString(first, "precious");
        Files.writeString(folder.resolve("failed-Kafka-2026-11-21-15-46-30-2.hlog"), "precious too");

        Path next = files.write(ResultFixture.failed());

        assertThat(next).isEqualTo(folder.resolve("failed-Kafka-2026-11-21-15-46-30-3.json"));
        assertThat(first).hasContent("precious");
        assertThat(folder.resolve("failed-Kafka-2026-11-21-15-46-30-2.hlog")).hasContent("precious too");
        assertThat(folder.resolve("failed-Kafka-2026-11-21-15-46-30-2.json")).doesNotExist();
    }

    @Test
    void givesEveryResultItsOwnFileWhenManyAreWrittenAtOnce() throws Exception {
        ResultFiles files = ResultFiles.inFolder(folder, ZONE);
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try {
            Callable<Path> write = () -> files.write(ResultFixture.failed());
            List<Future<Path>> written = executor.invokeAll(
                    IntStream.range(0, 20).mapToObj(i -> write).toList());
            for (Future<Path> file : written) {
                assertThat(file.get()).hasContent(ResultJson.render(ResultFixture.failed()));
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(filesIn(folder)).hasSize(40);
    }

    @Test
    void replacesWhatDoesNotSuitAFileName() throws IOException {
        ResultFiles files = ResultFiles.inFolder(folder, ZONE);
        assertThat(files.write(named("workloads/.übung 1.yaml", "Kafka/3.x: \"fast\""))
                        .getFileName())
                .hasToString("__bung_1-Kafka_3.x___fast_-2026-11-21-15-46-30.json");
        assertThat(files.write(named("a".repeat(200) + ".yaml", "b".repeat(200)))
                        .getFileName())
                .hasToString("a".repeat(100) + "-" + "b".repeat(100) + "-2026-11-21-15-46-30.json");
    }

    @Test
    void writesToAGivenFile() throws IOException {
        ResultFiles files = ResultFiles.toFile(folder.resolve("below/my.result.json"));
        files.check();
        assertThat(files.write(ResultFixture.failed())).isEqualTo(folder.resolve("below/my.result.json"));
        assertThat(filesIn(folder.resolve("below"))).containsExactly("my.result.hlog", "my.result.json");
    }

    @Test
    void writesToAGivenFileWithoutExtension() throws IOException {
        ResultFiles files = ResultFiles.toFile(folder.resolve("out"));
        files.check();
        assertThat(files.write(ResultFixture.failed())).isEqualTo(folder.resolve("out"));
        assertThat(filesIn(folder)).containsExactly("out", "out.hlog");
    }

    @Test
    void refusesAGivenFileThatExists() throws IOException {
        Path file = Files.writeString(folder.resolve("out.json"), "precious");

        assertThatThrownBy(() -> ResultFiles.toFile(file).check())
                .isInstanceOf(ResultFileException.class)
                .hasMessage(file + ": already exists and would be overwritten; name another file, or remove it");
        assertThat(file).hasContent("precious");
    }

    @Test
    void refusesAGivenFileWhoseLogExists() throws IOException {
        Path log = Files.writeString(folder.resolve("out.hlog"), "precious");

        assertThatThrownBy(() -> ResultFiles.toFile(folder.resolve("out.json")).check())
                .hasMessageStartingWith(log + ": already exists");
    }

    @Test
    void refusesAFolderInPlaceOfAFile() {
        assertThatThrownBy(() -> ResultFiles.toFile(folder).check())
                .hasMessage(folder + ": is a folder, must be the name of a file");
        assertThatThrownBy(() -> ResultFiles.toFile(Path.of("")).check())
                .hasMessage(".: is a folder, must be the name of a file");
    }

    @Test
    void keepsAResultThatFindsItsFileTaken() throws IOException {
        ResultFiles files = ResultFiles.toFile(folder.resolve("out.json"));
        files.check();
        Files.writeString(folder.resolve("out.json"), "precious");

        assertThat(files.write(ResultFixture.failed())).isEqualTo(folder.resolve("out-2.json"));
        assertThat(folder.resolve("out.json")).hasContent("precious");
    }

    @Test
    void writesALogOfEachWorkerIfAskedTo() throws IOException {
        RunResult result = ResultFixture.twoWorkers();
        ResultFiles files = ResultFiles.toFile(folder.resolve("out.json")).withWorkerLogs(2);
        files.check();
        assertThat(filesIn(folder)).isEmpty();
        Path file = files.write(result);
        assertThat(filesIn(folder)).containsExactly("out-worker-1.hlog", "out-worker-2.hlog", "out.hlog", "out.json");
        assertThat(ResultFiles.workerLogOf(file, 2)).hasContent(HdrLog.render(result, 1));
    }

    @Test
    void theLogsOfWorkersStayWithTheirResult() throws IOException {
        Path log = Files.writeString(folder.resolve("out-worker-2.hlog"), "precious");
        ResultFiles files = ResultFiles.toFile(folder.resolve("out.json")).withWorkerLogs(2);
        assertThatThrownBy(files::check).hasMessageStartingWith(log + ": already exists");

        assertThat(files.write(ResultFixture.twoWorkers())).isEqualTo(folder.resolve("out-2.json"));
        assertThat(log).hasContent("precious");
        assertThat(filesIn(folder))
                .containsExactly(
                        "out-2-worker-1.hlog", "out-2-worker-2.hlog", "out-2.hlog", "out-2.json", "out-worker-2.hlog");
    }

    @Test
    void aResultOfWhichOneFileCannotBeWrittenLeavesNone() throws IOException {
        Files.createDirectory(folder.resolve("out-worker-2.hlog.part"));
        ResultFiles files = ResultFiles.toFile(folder.resolve("out.json")).withWorkerLogs(2);
        assertThatThrownBy(() -> files.write(ResultFixture.twoWorkers()))
                .isInstanceOf(ResultFileException.class)
                .hasMessageContaining("the result could not be written: ");
        assertThat(filesIn(folder)).isEmpty();
    }

    @Test
    void aResultThatHasNoRoomGoesToAnotherFolder() throws IOException {
        RunResult result = ResultFixture.failed();
        ResultFiles files = ResultFiles.toFile(folder.resolve("mine.json"));
        Path inTheWay = Files.writeString(folder.resolve("file"), "");
        Path other = folder.resolve("other");

        ResultFiles.Elsewhere written = files.writeElsewhere(
                result, List.of(inTheWay, other), new ResultFileException("no space left on device", null));

        assertThat(written.file()).isEqualTo(other.resolve("mine.json"));
        assertThat(written.problem())
                .startsWith("no space left on device; nor in " + inTheWay)
                .endsWith("; it is in " + other.resolve("mine.json"));
        assertThat(filesIn(other)).containsExactly("mine.hlog", "mine.json");
        assertThat(filesIn(folder)).doesNotContain("mine.json");
    }

    @Test
    void aResultForWhichNoFolderHasRoomIsSaidToBeNowhere() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("file"), "");

        ResultFiles.Elsewhere written = ResultFiles.inFolder(inTheWay)
                .writeElsewhere(
                        ResultFixture.failed(), List.of(inTheWay), new ResultFileException("the disk is full", null));

        assertThat(written.file()).isNull();
        assertThat(written.problem()).startsWith("the disk is full; nor in ").contains("--output");
    }

    @Test
    void aPlanReplacesTheLogsOfARunThatWasInterrupted() throws IOException {
        Path file = folder.resolve("1.json");
        for (String name : List.of("1.json", "1.hlog", "1-worker-1.hlog", "1-worker-2.hlog", "1-worker-3.hlog")) {
            Files.writeString(folder.resolve(name), "old");
        }
        RunResult result = ResultFixture.twoWorkers();
        assertThat(ResultFiles.ofPlan(file, PLACE).withWorkerLogs(2).write(result))
                .isEqualTo(file);
        assertThat(filesIn(folder)).containsExactly("1-worker-1.hlog", "1-worker-2.hlog", "1.hlog", "1.json");
        assertThat(ResultFiles.workerLogOf(file, 1)).hasContent(HdrLog.render(result, 0));

        ResultFiles.ofPlan(file, PLACE).write(result);
        assertThat(filesIn(folder)).containsExactly("1.hlog", "1.json");
    }

    @Test
    void saysWhyAFolderCannotBeUsed() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("file"), "");

        assertThatThrownBy(() -> ResultFiles.inFolder(inTheWay).check())
                .isInstanceOf(ResultFileException.class)
                .hasMessage(inTheWay + ": cannot write results: " + inTheWay + " is in the way: a file, not a folder");
        assertThatThrownBy(
                        () -> ResultFiles.inFolder(inTheWay.resolve("results")).check())
                .hasMessage(inTheWay.resolve("results") + ": cannot write results: not a directory");
        assertThatThrownBy(
                        () -> ResultFiles.inFolder(inTheWay.resolve("results")).write(ResultFixture.failed()))
                .isInstanceOf(ResultFileException.class)
                .hasMessageContaining("the result could not be written: not a directory");
    }

    @Test
    void acceptsALinkToAFolder() throws IOException {
        Path target = Files.createDirectory(folder.resolve("target"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        ResultFiles files = ResultFiles.inFolder(link);
        files.check();
        files.write(ResultFixture.failed());
        assertThat(filesIn(target)).hasSize(2);
    }

    @Test
    void leavesNothingBehindAfterTheCheck() throws IOException {
        ResultFiles.inFolder(folder).check();
        ResultFiles.toFile(folder.resolve("out.json")).check();
        assertThat(filesIn(folder)).isEmpty();
    }

    @Test
    void namesTheReasonInWords() {
        assertThat(ResultFiles.reason(new AccessDeniedException("x"))).isEqualTo("permission denied");
        assertThat(ResultFiles.reason(new FileSystemException("x", null, "No space left on device")))
                .isEqualTo("no space left on device");
        assertThat(ResultFiles.reason(new IOException("Broken pipe"))).isEqualTo("broken pipe");
        assertThat(ResultFiles.reason(new IOException())).isEqualTo("java.io.IOException");
    }
}
