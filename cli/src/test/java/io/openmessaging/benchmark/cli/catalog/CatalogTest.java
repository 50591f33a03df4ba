package io.openmessaging.benchmark.cli.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.catalog.Catalog.FileType;
import io.openmessaging.benchmark.cli.catalog.Catalog.Shipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path home;

    @BeforeEach
    void install() throws IOException {
        write("driver-kafka/kafka.yaml", "# The file to begin with. More.\n\nname: Kafka\ndriverClass: a.B\n");
        write("driver-kafka/twin.yaml", "driverClass: a.B\n");
        write("driver-redis/twin.yaml", "driverClass: a.C\n");
        write("driver-redis/notes.yaml", "something: else\n");
        write("workloads/smoke/small.yaml", "# Ten small\n# messages, e.g. pings.\ntopics: 1\n");
        write("workloads/faults/plan.yaml", "description: Faults of all kinds.\nexperiments: []\n");
        write("workloads/faults/other.yaml", "description: >-\n  Two lines\n  of words.\nexperiments: []\n");
    }

    private void write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, text);
    }

    private Catalog catalog() {
        return new Catalog(home);
    }

    @Test
    void driversAreNamedByTheirFilesAndByTheFolderWhereTwoAreAlike() {
        assertThat(catalog().all(FileType.DRIVER))
                .extracting(Shipped::name)
                .containsExactly("kafka", "driver-kafka/twin", "driver-redis/twin");
    }

    @Test
    void theFirstSentenceOfTheCommentSaysWhatItIs() {
        assertThat(catalog().all(FileType.DRIVER))
                .first()
                .extracting(Shipped::about)
                .isEqualTo("The file to begin with.");
        assertThat(catalog().all(FileType.WORKLOAD))
                .containsExactly(new Shipped(
                        "smoke/small", home.resolve("workloads/smoke/small.yaml"), "Ten small messages, e.g. pings."));
    }

    @Test
    void filesForComparisonsDoNotReadAlike() {
        List<String> fast = new Catalog(Path.of(".."))
                .all(FileType.DRIVER).stream()
                        .filter(file -> file.name().endsWith("-fast"))
                        .map(Shipped::about)
                        .toList();
        assertThat(fast).hasSizeGreaterThan(5).doesNotHaveDuplicates();
    }

    @Test
    void plansAreKnownByTheirFolder() {
        assertThat(catalog().all(FileType.PLAN)).extracting(Shipped::name).containsExactly("faults", "faults/other");
        assertThat(catalog().all(FileType.PLAN))
                .first()
                .extracting(Shipped::about)
                .isEqualTo("Faults of all kinds.");
    }

    @Test
    void aFoldedDescriptionIsALine() {
        assertThat(catalog().all(FileType.PLAN))
                .last()
                .extracting(Shipped::about)
                .isEqualTo("Two lines of words.");
    }

    @Test
    void filesAreFoundByPathOrByName() {
        Path kafka = home.resolve("driver-kafka/kafka.yaml");
        assertThat(catalog().find(FileType.DRIVER, kafka)).contains(kafka);
        assertThat(catalog().find(FileType.DRIVER, Path.of("driver-kafka/kafka.yaml")))
                .contains(kafka);
        assertThat(catalog().find(FileType.DRIVER, Path.of("kafka"))).contains(kafka);
        assertThat(catalog().find(FileType.DRIVER, Path.of("kafka.yaml"))).contains(kafka);
        assertThat(catalog().find(FileType.PLAN, Path.of("faults")))
                .contains(home.resolve("workloads/faults/plan.yaml"));
    }

    @Test
    void aFolderIsNoFile() {
        assertThat(catalog().find(FileType.PLAN, Path.of("workloads/faults"))).isEmpty();
    }

    @Test
    void whatIsUnknownIsCorrected() {
        assertThat(catalog().unknown(FileType.DRIVER, Path.of("kafak")))
                .isEqualTo(
                        "kafak: there is no such driver file, did you mean kafka? (bin/benchmark list drivers shows those"
                                + " that come with it)");
        assertThat(catalog().unknown(FileType.WORKLOAD, Path.of("nothing/like/it.yaml")))
                .isEqualTo(
                        "nothing/like/it.yaml: there is no such workload (bin/benchmark list workloads shows those that"
                                + " come with it)");
    }

    @Test
    void anInstallationWithoutWorkloadsHasNone() throws IOException {
        assertThat(new Catalog(Files.createDirectory(home.resolve("empty"))).all(FileType.WORKLOAD))
                .isEmpty();
    }
}
