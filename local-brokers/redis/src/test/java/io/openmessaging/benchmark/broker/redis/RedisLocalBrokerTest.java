package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Place;
import io.openmessaging.benchmark.broker.fetch.ProgramPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisLocalBrokerTest {

    @TempDir
    Path temp;

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .hasOnlyElementsOfType(RedisLocalBroker.class)
                .extracting(LocalBroker::name, LocalBroker::usualPort)
                .containsExactly(tuple("redis", 6379), tuple("valkey", 6379));
    }

    @Test
    void saysThatThereIsNeitherRedisNorAWayToFetchIt() {
        RedisLocalBroker broker = new RedisLocalBroker(new ProgramPath(List.of(temp)));

        assertThatThrownBy(() -> broker.start(options(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(
                        "Redis is not on this machine, and there is no apt-get to fetch it with; install Redis so that"
                                + " redis-server is on the PATH, or point the driver's file to a broker that runs");
        assertThat(temp.resolve("redis")).doesNotExist();
    }

    @Test
    void saysThatTheProgramDoesNotRun() throws Exception {
        program("echo 'error while loading shared libraries: liblzf.so.1' >&2; exit 127");

        assertThatThrownBy(() -> new RedisLocalBroker(new ProgramPath(List.of(temp))).start(options(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("Redis does not run on this machine: " + temp.resolve("redis-server")
                        + " ended with exit code 127; it says:\n  error while loading shared libraries: liblzf.so.1");
    }

    @Test
    void saysThatTheProgramIsSomethingElse() throws Exception {
        program("echo 'Greedis 1.0'");

        assertThatThrownBy(() -> new RedisLocalBroker(new ProgramPath(List.of(temp))).start(options(1)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(temp.resolve("redis-server") + " does not tell its version: is it Redis?");
    }

    @Test
    void refusesTwoNodes() {
        assertThatThrownBy(() -> new RedisLocalBroker().start(options(2)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("a local Redis has one node, or as a cluster three or more: nodes must not be 2");
    }

    private void program(String script) throws Exception {
        Path program = Files.writeString(temp.resolve("redis-server"), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private LocalBrokerOptions options(int nodes) {
        return new LocalBrokerOptions(nodes, null, Map.of(), new Place(temp, temp.resolve("redis")), text -> {});
    }
}
