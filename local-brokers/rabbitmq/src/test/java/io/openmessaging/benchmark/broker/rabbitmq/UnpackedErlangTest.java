package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedErlangTest {

    @TempDir
    Path temp;

    @Test
    void isLaidOutAnewWithAScriptInThePlaceOfEachProgram() throws Exception {
        Path erlang = temp.toRealPath().resolve("erlang's own");
        Path programs = erlang.resolve("erts-13.1/bin");
        Files.createDirectories(erlang.resolve("lib/os_mon-2/ebin"));
        Path memory =
                Files.createDirectories(erlang.resolve("lib/os_mon-2/priv/bin")).resolve("memsup");
        program(memory, "\u007fELF");
        Files.createDirectories(erlang.resolve("releases"));
        Files.createDirectories(erlang.resolve("bin"));
        Files.createDirectories(programs);
        Files.createFile(erlang.resolve("bin/start_sasl.boot"));
        program(programs.resolve("erlexec"), "\u007fELF");
        program(programs.resolve("epmd"), "\u007fELF");
        program(programs.resolve("start"), "#!/bin/sh");
        program(erlang.resolve("bin/erl"), "#!/bin/sh\necho the wrong one");
        Files.createSymbolicLink(erlang.resolve("bin/epmd"), Path.of("../erts-13.1/bin/epmd"));
        Path folder = Files.createDirectory(temp.toRealPath().resolve("a copy"));

        Path bin = new UnpackedErlang(erlang, program -> List.of("/bin/echo", program.toString(), "$ROOTDIR"))
                .prepare(folder);

        assertThat(bin).isEqualTo(folder.resolve("bin"));
        assertThat(said(bin.resolve("erl"), "-version", "a b"))
                .as("what is run, with which arguments")
                .isEqualTo(programs + "/erlexec $ROOTDIR -version a b");
        assertThat(said(bin.resolve("epmd"), "-daemon")).isEqualTo(programs + "/epmd $ROOTDIR -daemon");
        assertThat(said(folder.resolve("lib/os_mon-2/priv/bin/memsup"))).isEqualTo(memory + " $ROOTDIR");
        assertThat(folder.resolve("lib/os_mon-2/ebin")).isSymbolicLink();
        assertThat(folder.resolve("erts-13.1/bin/start")).isSymbolicLink();
        assertThat(bin.resolve("start_sasl.boot")).exists();
        assertThat(folder.resolve("lib")).isDirectory();
        assertThat(folder.resolve("releases")).isDirectory();
    }

    private static String said(Path program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start().inputReader().readLine();
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
