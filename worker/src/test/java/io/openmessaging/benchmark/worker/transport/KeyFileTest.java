package io.openmessaging.benchmark.worker.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.suite.StartsProcesses;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    @Test
    @StartsProcesses
    void aNewKeyIsReadableByItsOwnerAloneAndIsNeverOverwritten() throws Exception {
        Path file = folder.resolve("bench.key");
        KeyMaker.make(file);
        byte[] made = Files.readAllBytes(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(KeyFile.read(file).parameters().getProtocols()).containsExactly("TLSv1.3");
        assertThatThrownBy(() -> KeyMaker.make(file))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("bench.key: already exists and was not changed");
        assertThat(Files.readAllBytes(file)).isEqualTo(made);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aFileThatOthersCanReadIsRefused() throws Exception {
        Path file = Files.write(folder.resolve("bench.key"), new byte[] {1});
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("others can read it (rw-r-----); do 'chmod 600 " + file + "'");
    }

    @Test
    void whatIsNoKeyFileIsSaidToBeNone() throws Exception {
        Path file = folder.resolve("bench.key");
        assertThatThrownBy(() -> KeyFile.read(file)).hasMessageContaining("--new-key " + file);
        Files.writeString(file, "a text");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(() -> KeyFile.read(file))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("is not a PKCS #12 file");
    }

    @Test
    @StartsProcesses
    void anotherPasswordIsAskedForByTheNameOfItsVariable() throws Exception {
        Path file = folder.resolve("bench.key");
        KeyMaker.make(file);
        assertThatThrownBy(() -> KeyFile.read(file, "another"))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("has a different password from the one in the variable BENCHMARK_KEY_PASSWORD");
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Path file = folder.resolve("none").resolve("bench.key");
        assertThatThrownBy(() -> KeyMaker.make(file))
                .isInstanceOf(KeyFileException.class)
                .hasMessageContaining("cannot be created in " + file.getParent());
    }
}
