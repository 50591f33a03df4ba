package io.openmessaging.benchmark.broker.rocketmq;

import java.lang.reflect.Field;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.transaction.TransactionMetricsFlushService;

/**
 * Saves the metrics of transactions as often as RocketMQ's own thread, but also sleeps before the first time.
 * RocketMQ's own thread, in 5.5, queries the time in a busy loop until the first interval is over: it uses a processor
 * for ten seconds, during measurements. A shorter interval would shorten this, but cause more syncs to the disk from
 * then on.
 */
final class TransactionMetricsSaver extends TransactionMetricsFlushService {

    /** The thread's name as Linux shows it; the name of RocketMQ's own starts with a capital letter. */
    static final String THREAD = "metrics-saver";

    private final BrokerController broker;

    private TransactionMetricsSaver(BrokerController broker) {
        super(broker);
        this.broker = broker;
    }

    /** Replaces the broker's own thread, which has been running since the broker was created. */
    static void install(BrokerController broker) throws ReflectiveOperationException {
        Field field = BrokerController.class.getDeclaredField("transactionMetricsFlushService");
        field.setAccessible(true);
        ((TransactionMetricsFlushService) field.get(broker)).shutdown();
        TransactionMetricsSaver saver = new TransactionMetricsSaver(broker);
        field.set(broker, saver);
        saver.start();
    }

    @Override
    public String getServiceName() {
        return THREAD;
    }

    @Override
    public void run() {
        while (!isStopped()) {
            waitForRunning(broker.getBrokerConfig().getTransactionMetricFlushInterval());
            // This reports its errors by itself.
            broker.getTransactionalMessageService().getTransactionMetrics().persist();
        }
    }
}
