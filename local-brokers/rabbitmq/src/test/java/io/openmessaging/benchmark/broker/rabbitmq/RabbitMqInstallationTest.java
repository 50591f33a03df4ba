package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitMqInstallationTest {

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

        RabbitMqInstallation installation = find();

        assertThat(installation.server()).isEqualTo(server);
        Path nodeFolder = Files.createDirectory(temp.resolve("a node"));
        assertThat(installation.startScript(nodeFolder)).isEqualTo("server/sbin/rabbitmq-server");
        assertThat(nodeFolder.resolve("server/sbin/rabbitmq-server")).isExecutable();
        assertThat(installation.erlang().prepare(temp.resolve("none"))).isEqualTo(bin);
    }

    @Test
    void saysThatEpmdIsMissing() throws Exception {
        Path server = temp.resolve("rabbitmq_server-4.0.1");
        Files.createDirectories(server.resolve("plugins"));
        program(server.resolve("sbin/rabbitmq-server"));
        Files.createSymbolicLink(bin.resolve("rabbitmq-server"), server.resolve("sbin/rabbitmq-server"));

        assertThatThrownBy(this::find)
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(
                        "RabbitMQ is installed, but Erlang's epmd is missing: put the bin folder of Erlang on the PATH");
    }

    @Test
    void theOneOfThisMachineIsTakenWhereTheUserWantsItAndElseOnlyIfThereAreNoPackages() throws Exception {
        program(bin.resolve("apt-get"));
        program(bin.resolve("dpkg"));

        assertThatThrownBy(() -> RabbitMqInstallation.find(new ProgramPath(List.of(bin)), options(Version.SYSTEM)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("version: system needs the RabbitMQ of this machine, but there is no rabbitmq-server on the"
                        + " PATH; install it, or leave out version");
        program(bin.resolve("rabbitmq-server"));
        assertThatThrownBy(() -> RabbitMqInstallation.find(new ProgramPath(List.of(bin)), options(Version.SYSTEM)))
                .hasMessage(
                        "RabbitMQ is installed, but Erlang's epmd is missing: put the bin folder of Erlang on the PATH");
        assertThatThrownBy(this::find).hasMessageStartingWith("cannot fetch RabbitMQ: ");
    }

    private RabbitMqInstallation find() throws Exception {
        return RabbitMqInstallation.find(new ProgramPath(List.of(bin)), options(Version.CURRENT));
    }

    private LocalBrokerOptions options(Version version) {
        Location place = new Location(temp, temp.resolve("broker"));
        return new LocalBrokerOptions(
                version, 1, new Jvm(null, false), Map.of(), Confinement.NONE, Security.NONE, place, text -> {});
    }

    private static void program(Path file) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        TestProgram.write(file, "echo \"$0 $ROOTDIR $*\"\n");
    }
}
