package io.openmessaging.benchmark.broker.rocketmq;

import io.openmessaging.benchmark.broker.ListenAddress;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.store.DefaultMessageStore;
import org.apache.rocketmq.store.ha.autoswitch.AutoSwitchHAService;

/**
 * Replication under a controller that listens for slaves on loopback. RocketMQ's own service listens on every
 * interface, and has a setting neither for the address nor for the class.
 */
public final class LoopbackReplication extends AutoSwitchHAService {

    private LoopbackReplication() {}

    /** Replaces the broker's own service, which must not have been started. */
    static void install(BrokerController broker) throws ReflectiveOperationException {
        LoopbackReplication replication = new LoopbackReplication();
        set(broker.getMessageStore(), "haService", replication);
        set(broker.getReplicasManager(), "haService", replication);
    }

    @Override
    public void init(DefaultMessageStore store) throws IOException {
        super.init(store);
        int port = store.getMessageStoreConfig().getHaListenPort();
        try {
            set(acceptSocketService, "socketAddressListen", new InetSocketAddress(ListenAddress.LOOPBACK.host(), port));
        } catch (ReflectiveOperationException e) {
            throw new IOException("cannot keep the port for slaves on loopback: " + e, e);
        }
    }

    private static void set(Object owner, String name, Object value) throws ReflectiveOperationException {
        Field field = field(owner.getClass(), name);
        field.setAccessible(true);
        field.set(owner, value);
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> current = type; current != Object.class; current = current.getSuperclass()) {
            for (Field field : current.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(type.getName() + "." + name);
    }
}
