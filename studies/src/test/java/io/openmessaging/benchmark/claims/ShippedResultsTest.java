package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.summary.PlanResults;
import io.openmessaging.benchmark.summary.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of the measured results of studies that come with the project. */
class ShippedResultsTest {

    private static final Path WORKLOADS =
            Path.of("../workloads").toAbsolutePath().normalize();
    private static final long MOST_BYTES = 3_000_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    static Stream<Path> archives() throws IOException {
        return archives(WORKLOADS);
    }

    /** Returns the archives of result files in a folder. */
    static Stream<Path> archives(Path folder) throws IOException {
        try (Stream<Path> files =
                Files.find(folder, 3, (file, is) -> file.toString().matches(".*\\.tar\\.[gx]z"))) {
            return files.sorted().toList().stream();
        }
    }

    /** Unpacks an archive to a folder and returns the claims that it reports. */
    static JsonNode unpack(Path archive, Path folder) throws IOException, InterruptedException {
        Process tar = new ProcessBuilder("tar", "-xf", archive.toString(), "--strip-components=1")
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(Patience.exitCode("tar", tar)).isZero();
        return JsonMapper.shared()
                .readTree(Files.readAllBytes(folder.resolve(ClaimsFile.NAME)))
                .path("claims");
    }

    /** Whoever judges the results again comes to the judgements that the study's RESULTS.md reports. */
    @ParameterizedTest
    @MethodSource("archives")
    void theResultsAreJudgedAsReported(Path archive) throws Exception {
        assertThat(Files.size(archive)).isLessThanOrEqualTo(MOST_BYTES);
        Map<String, String> reported = new LinkedHashMap<>();
        unpack(archive, folder)
                .forEach(claim -> reported.put(
                        claim.path("id").asString(), claim.path("judgement").asString()));

        Path study = archive.resolve("../..").normalize();
        Summary summary = Summary.of(PlanResults.read(folder, Manifest.read(folder)));
        Claims claims = Claims.judge(PublishedFile.read(study.resolve("published.yaml")), summary);

        Map<String, String> judged = new LinkedHashMap<>();
        claims.claims()
                .forEach(claim -> judged.put(
                        claim.claim().id(), claim.judgement().outcome().words()));
        assertThat(judged).isNotEmpty().isEqualTo(reported);
    }
}
