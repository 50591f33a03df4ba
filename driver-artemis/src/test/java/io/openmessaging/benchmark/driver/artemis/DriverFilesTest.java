package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverFilesTest {

    static List<DriverFile> files() {
        return DriverFile.all();
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(DriverFile file) {
        assertThat(TestConfigs.problemsOf(file.config())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void namesTheDriverAndHasANameOfItsOwn(DriverFile file) {
        assertThat(file.keys()).containsEntry("driverClass", ArtemisBenchmarkDriver.class.getName());
        assertThat(files()).extracting(f -> f.keys().get("name")).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("files")
    void saysWhatItIsFor(DriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @Test
    void theUsualVariantsAreThere() {
        assertThat(files())
                .extracting(DriverFile::toString)
                .containsExactlyInAnyOrder("artemis.yaml", "artemis-asyncio.yaml", "artemis-in-memory.yaml");
    }

    @Test
    void aKeyThatIsUnknownWouldBeFound() {
        DriverFile file = new DriverFile(Path.of("wrong.yaml"), Map.of("brokerAdress", "tcp://localhost:1"));
        assertThatThrownBy(file::config).hasMessageContaining("brokerAdress");
    }
}
