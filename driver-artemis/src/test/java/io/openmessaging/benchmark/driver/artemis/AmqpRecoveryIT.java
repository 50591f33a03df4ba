package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;
import java.util.List;
import java.util.Map;

/** Tests recovery over AMQP, for which the broker has another version. */
class AmqpRecoveryIT extends RecoveryIT {

    @Override
    Map<String, String> settings() {
        return Map.of("protocols", "CORE,AMQP");
    }

    @Override
    List<ClientKind> clients() {
        return List.of(ClientKind.AMQP);
    }
}
