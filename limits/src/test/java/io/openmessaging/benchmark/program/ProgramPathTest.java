package io.openmessaging.benchmark.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramPathTest {

    @TempDir
    Path temp;

    @Test
    void takesTheFirstProgramThatCanBeRun() throws Exception {
        Files.createDirectories(temp.resolve("a/tool"));
        file("b/tool");
        Path first = executable("c/tool");
        executable("d/tool");
        ProgramPath path = new ProgramPath(List.of(
                temp.resolve("none"), temp.resolve("a"), temp.resolve("b"), temp.resolve("c"), temp.resolve("d")));

        assertThat(path.find("tool")).contains(first);
        assertThat(path.find("another-tool")).isEmpty();
    }

    @Test
    void aLinkKeepsItsName() throws Exception {
        Path program = executable("a/tool");
        Path link = Files.createSymbolicLink(program.resolveSibling("other-name"), Path.of("tool"));

        assertThat(new ProgramPath(List.of(temp.resolve("a"))).find("other-name"))
                .contains(link);
    }

    @Test
    void theOneOfThisMachineHasTheShell() {
        assertThat(ProgramPath.ofThisMachine().find("sh")).isPresent();
        assertThat(ProgramPath.ofThisMachine().folders()).contains(Path.of("/usr/sbin"));
    }

    private Path executable(String name) throws IOException {
        Path file = file(name);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private Path file(String name) throws IOException {
        Path file = temp.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        return Files.createFile(file);
    }
}
