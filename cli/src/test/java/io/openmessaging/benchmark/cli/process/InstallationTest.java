package io.openmessaging.benchmark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class InstallationTest {

    @Test
    void theStartScriptTellsWhereEverythingIs(@TempDir Path folder) throws Exception {
        try (TestInstallation test = new TestInstallation(folder)) {
            Installation installation = Installation.fromSystemProperties();
            assertThat(installation.home()).isEqualTo(test.home());
            assertThat(installation.drivers()).isEqualTo(folder.resolve("distribution/drivers"));
        }
    }

    @Test
    void withoutAStartScriptEverythingIsInTheCurrentFolder() {
        Installation installation = Installation.fromSystemProperties();
        assertThat(installation.home()).isEqualTo(Path.of("").toAbsolutePath());
        assertThat(installation.drivers())
                .isEqualTo(Path.of("").toAbsolutePath().resolve("drivers"));
    }

    @Test
    void withoutAJarThereIsNoVersion() {
        assertThat(Installation.version()).isEqualTo("development");
    }

    @Test
    void theVersionNamesTheCommitThatWasBuilt(@TempDir Path folder) throws Exception {
        assertThat(Installation.version("1.0", folder)).isEqualTo("1.0+unknown");
        Files.writeString(folder.resolve("commit"), "1fb98908ac13.dirty\n");
        assertThat(Installation.version("1.0", folder)).isEqualTo("1.0+1fb98908ac13.dirty");
    }
}
