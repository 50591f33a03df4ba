package io.openmessaging.benchmark.cli.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.process.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class WorkerCommandTest {

    private final StringWriter printed = new StringWriter();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Path folder;

    private int execute(String... arguments) {
        PrintWriter writer = new PrintWriter(printed, true);
        CommandLine command = WorkerMain.commandLine(folder);
        return command.setOut(writer).setErr(writer).execute(arguments);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--host 0.0.0.0 | --host 0.0.0.0 is open to other machines: needs --key FILE",
                "--port 70000 | --port: must be a port from 1 to 65535, or 0 for any free port, got 70000",
                "--lease 0 | --lease: must be at least 1 second, got 0",
                "--key none.key | key file none.key: does not exist; 'bin/benchmark-worker --new-key none.key' creates one",
                "--limit threads=1 | --limit: threads must be at least 4, got 1",
                "--limit thread=9 | expected one of [stranger_body_bytes",
                "--prot 1 | Unknown option"
            })
    void whatCannotBeIsRefusedBeforeAnythingListens(String arguments, String message) {
        assertThat(execute(arguments.split(" "))).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(printed.toString()).startsWith("benchmark-worker: ").contains(message);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aKeyIsMadeOnceAndNeverReplaced() {
        String file = folder.resolve("bench.key").toString();
        assertThat(execute("--new-key", file)).isEqualTo(ExitCode.OK);
        assertThat(printed.toString()).contains("Copy it to all machines: scp -p " + file);
        assertThat(execute("--new-key", file)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(printed.toString()).contains("already exists and was not changed");
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(execute("--port", String.valueOf(taken.getLocalPort()))).isEqualTo(ExitCode.FAILED);
            assertThat(printed.toString())
                    .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .contains("take another --port");
        }
    }
}
