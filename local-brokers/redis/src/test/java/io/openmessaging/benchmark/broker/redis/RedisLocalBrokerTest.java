package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.TestProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .hasMessage("Redis is not installed on this machine, and there is no apt-get to fetch it; install Redis"
                        + " so that redis-server is on the PATH, or point the driver file to a running broker");
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
                .hasMessage(temp.resolve("redis-server") + " does not report its version: is it Redis?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | 0 | 0 | a local Redis has one master, or three or more as a cluster: nodes must not be 2, unless the"
                        + " settings have replicas: 1, for a primary and its replica",
                "4 | 1 | 0 | a local Redis has one master, or three or more as a cluster: nodes must not be 4",
                "3 | 1 | 0 | a local Redis has the same number of replicas for each master: with replicas: 1, nodes must be"
                        + " a multiple of 2, got 3",
                "1 | 0 | 3 | a local Redis has sentinels only for one master with replicas, such as nodes: 2 and replicas: 1;"
                        + " remove sentinels",
                "6 | 1 | 3 | a local Redis has sentinels only for one master with replicas, such as nodes: 2 and replicas: 1;"
                        + " remove sentinels",
                "2 | one | 0 | replicas must be a number from 0 to 9, got one",
            })
    void refusesLayoutsThatAreNone(int nodes, String replicas, String sentinels, String reason) {
        Map<String, String> settings = Map.of("replicas", replicas, "sentinels", sentinels);
        assertThatThrownBy(() -> new RedisLocalBroker().start(options(nodes, settings)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(reason);
    }

    @Test
    void mastersComeFirstAndReplicasAreDealtOutToThem() throws Exception {
        RedisLayout cluster = RedisLayout.of("Redis", 6, Map.of("replicas", "1"));
        assertThat(cluster.isCluster()).isTrue();
        assertThat(cluster.isReplica(2)).isFalse();
        assertThat(cluster.isReplica(3)).isTrue();
        assertThat(cluster.masterOf(5)).isEqualTo(2);
        assertThat(cluster.isReplaceable(0)).isTrue();

        RedisLayout pair = RedisLayout.of("Redis", 2, Map.of("replicas", "1"));
        assertThat(pair.isCluster()).isFalse();
        assertThat(pair.isReplaceable(0)).as("nobody promotes the replica").isFalse();
        assertThat(pair.isReplaceable(1)).isTrue();
        assertThat(RedisLayout.of("Redis", 2, Map.of("replicas", "1", "sentinels", "3"))
                        .isReplaceable(0))
                .isTrue();
    }

    private void program(String script) throws Exception {
        TestProgram.write(temp.resolve("redis-server"), script + "\n");
    }

    private LocalBrokerOptions options(int nodes) {
        return options(nodes, Map.of());
    }

    private LocalBrokerOptions options(int nodes, Map<String, String> settings) {
        return new LocalBrokerOptions(nodes, null, settings, new Location(temp, temp.resolve("redis")), text -> {});
    }
}
