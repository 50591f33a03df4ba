package io.openmessaging.benchmark.broker.rocketmq;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Replication for a broker that has no replica: it does not listen for one. RocketMQ's own service always does, on every
 * interface, and has no setting for the address. Named in {@code META-INF/service}, where the broker's store looks.
 */
public final class NoReplication extends DefaultHAService {

    /** For the broker, which loads the class by its name. */
    public NoReplication() {}

    @Override
    public void start() {
        groupTransferService.start();
        haConnectionStateNotificationService.start();
    }
}
