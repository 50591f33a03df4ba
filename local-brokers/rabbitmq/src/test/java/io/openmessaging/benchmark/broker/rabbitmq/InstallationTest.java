package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Place;
import io.openmessaging.benchmark.broker.fetch.ProgramPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {

    @TempDir
    Path temp;

    private Path bin = Path.of("");

    @BeforeEach
    void makeFolderOnThePath() throws Exception {
        bin = Files.createDirectory(temp.toRealPath().resolve("bin"));
    }

    @Test
    void isTheFolderToWhichTheProgramOnThePathLeads() throws Exception {
        Path server = temp.toRealPath().resolve("opt/rabbitmq_server-4.0.1");
        Files.createDirectories(server.resolve("plugins"));
        program(server.resolve("sbin/rabbitmq-server"));
        Files.createSymbolicLink(bin.resolve("rabbitmq-server"), server.resolve("sbin/rabbitmq-server"));
        program(bin.resolve("epmd"));

        Installation installation = find();

        assertThat(installation).isEqualTo(new Installation(server, null, bin.resolve("epmd"), Map.of()));
        Path nodeFolder = Files.createDirectory(temp.resolve("a node"));
        assertThat(installation.startScript(nodeFolder)).isEqualTo("server/sbin/rabbitmq-server");
        assertThat(nodeFolder.resolve("server/sbin/rabbitmq-server")).isExecutable();
        assertThat(installation.prepare(temp.resolve("none"))).isEmpty();
    }

    @Test
    void saysThatEpmdIsMissing() throws Exception {
        Path server = temp.resolve("rabbitmq_server-4.0.1");
        Files.createDirectories(server.resolve("plugins"));
        program(server.resolve("sbin/rabbitmq-server"));
        Files.createSymbolicLink(bin.resolve("rabbitmq-server"), server.resolve("sbin/rabbitmq-server"));

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("RabbitMQ is there, but not Erlang's epmd: put the bin folder of Erlang on the PATH");
    }

    @Test
    void anErlangThatIsNotWhereItBelongsIsLaidOutAnew() throws Exception {
        Path erlang = temp.toRealPath().resolve("erlang");
        Files.createDirectories(erlang.resolve("lib"));
        Files.createDirectories(erlang.resolve("releases"));
        program(erlang.resolve("erts-13.1/bin/erlexec"));
        program(erlang.resolve("bin/erl"));
        Files.createFile(erlang.resolve("bin/start_sasl.boot"));
        Installation installation = new Installation(temp, erlang, temp, Map.of("LD_LIBRARY_PATH", "there"));
        Path folder = Files.createDirectory(temp.toRealPath().resolve("a copy"));

        Map<String, String> environment = installation.prepare(folder);

        assertThat(environment)
                .containsEntry("LD_LIBRARY_PATH", "there")
                .hasEntrySatisfying("PATH", path -> assertThat(path).startsWith(folder + "/bin:"));
        Path erl = folder.resolve("bin/erl");
        Process process = new ProcessBuilder(erl.toString(), "-version").start();
        assertThat(process.inputReader().readLine())
                .as("what is run, from where, with which arguments")
                .isEqualTo(folder + "/erts-13.1/bin/erlexec " + folder + " -version");
        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("bin/start_sasl.boot")).exists();
        assertThat(folder.resolve("lib")).isDirectory();
    }

    private Installation find() throws Exception {
        return Installation.find(
                new ProgramPath(List.of(bin)),
                new LocalBrokerOptions(1, null, Map.of(), new Place(temp, temp.resolve("broker")), text -> {}));
    }

    private static void program(Path file) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "#!/bin/sh\necho \"$0 $ROOTDIR $*\"\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
