package io.openmessaging.benchmark.driver.testkit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.TinyDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Tests that each test of the driver files passes with good files and fails with a bad one. */
class DriverFilesContractTestTest {

    private static final String PURPOSE = "# For a messaging system that is smaller than all the others\n";

    private static final String DRIVER = "driverClass: " + TinyDriver.class.getName() + "\n";

    private static final String README = """
            | key | default | what it is |
            | --- | --- | --- |
            | `addresses`, `defect` | localhost:1, `none` | where it is, and what is wrong |
            """;

    @TempDir
    Path folder;

    /** Tests the files of a folder. Run only by the tests of this class. */
    static class TinyFiles extends DriverFilesContractTest<TinyDriver.Config> {

        /** Set before a run. */
        static volatile Path folder = Path.of("");

        @Override
        protected BenchmarkDriver<TinyDriver.Config> driver() {
            return new TinyDriver();
        }

        @Override
        protected List<ShippedDriverFile> files() {
            return ShippedDriverFile.allIn(folder);
        }

        @Override
        protected Path readme() {
            return folder.resolve("README.md");
        }
    }

    private Events run(String... files) throws Exception {
        if (Files.notExists(folder.resolve("README.md"))) {
            Files.writeString(folder.resolve("README.md"), README);
        }
        for (int i = 0; i < files.length; i++) {
            Files.writeString(folder.resolve("tiny-" + i + ".yaml"), files[i]);
        }
        TinyFiles.folder = folder;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(TinyFiles.class))
                .execute()
                .testEvents();
    }

    private static Set<String> failed(Events events) {
        return events.failed().stream()
                .map(event -> event.getTestDescriptor().getSource().orElseThrow())
                .map(source -> ((MethodSource) source).getMethodName())
                .collect(Collectors.toSet());
    }

    @Test
    void goodFilesPass() throws Exception {
        Events events = run(
                PURPOSE + "name: Tiny\n" + DRIVER + "addresses: ['a:1']\n",
                PURPOSE + "name: Tiny-none\n" + DRIVER + "defect: NONE\n");
        assertThat(failed(events)).isEmpty();
        assertThat(events.succeeded().count()).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource({
        "nothingIsWrong, adresses: ['a:1']",
        "nothingIsWrong, defect: NO_SUCH_DEFECT",
        "nothingIsWrong, addresses: []",
        "theDriverIsNamed, driverClass: a.B",
        "theNameIsItsOwn, name: Tiny",
    })
    void aMistakeIsNoticed(String test, String mistake) throws Exception {
        String good = PURPOSE + "name: Tiny\n" + DRIVER;
        String other = mistake.startsWith("driverClass") ? "" : DRIVER;
        String name = mistake.startsWith("name") ? "" : "name: Tiny-2\n";
        assertThat(failed(run(good, PURPOSE + name + other + mistake + "\n"))).containsExactly(test);
    }

    @Test
    void aFileThatDoesNotSayWhatItIsForIsNoticed() throws Exception {
        assertThat(failed(run("name: Tiny\n" + DRIVER))).containsExactly("theFirstLineSaysWhatTheFileIsFor");
    }

    @Test
    void aKeyThatTheReadmeLacksIsNoticed() throws Exception {
        Files.writeString(folder.resolve("README.md"), README.replace(", `defect`", ""));
        assertThat(failed(run(PURPOSE + "name: Tiny\n" + DRIVER)))
                .containsExactly("theReadmeHasEveryKeyWithItsDefault");
    }

    @Test
    void aFileWithoutANameIsNoticed() throws Exception {
        assertThat(failed(run(PURPOSE + DRIVER))).containsExactly("theNameIsItsOwn");
    }
}
