package io.openmessaging.benchmark.broker.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.program.ProgramPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitMqLocalBrokerTest {

    @TempDir
    Path temp;

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(RabbitMqLocalBroker.class)
                .returns("rabbitmq", LocalBroker::name)
                .returns(5672, LocalBroker::usualPort);
    }

    @Test
    void saysThatThereIsNeitherRabbitMqNorAWayToFetchIt() {
        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage(
                        "RabbitMQ is not installed on this machine, and there is no apt-get to fetch it; install RabbitMQ"
                                + " so that rabbitmq-server is on the PATH, or point the driver file to a running broker");
        assertThat(temp.resolve("rabbitmq")).doesNotExist();
    }

    @Test
    void refusesSettingsBeforeAnythingElse() {
        assertThatThrownBy(() -> start(Map.of("listeners.tcp.1", "5672")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("a local RabbitMQ chooses listeners.tcp.1 itself");
    }

    private void start(Map<String, String> settings) throws Exception {
        new RabbitMqLocalBroker(new ProgramPath(List.of(temp)))
                .start(new LocalBrokerOptions(
                        1, null, settings, new Location(temp, temp.resolve("rabbitmq")), text -> {}))
                .close();
    }
}
