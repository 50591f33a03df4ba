package io.openmessaging.benchmark.broker.rocketmq;

import org.apache.rocketmq.store.ha.DefaultHAService;

/**
 * Replication for a broker without a replica, which does not listen for one. RocketMQ's own service always listens, on
 * every interface, and has no setting for the address. Registered in {@code META-INF/service}, where the broker's store
 * looks it up.
 */
public final class NoReplication extends DefaultHAService {

    /** For the broker, which loads the class by name. */
    public NoReplication() {}

    @Override
    public void start() {
        groupTransferService.start();
        haConnectionStateNotificationService.start();
    }
}
