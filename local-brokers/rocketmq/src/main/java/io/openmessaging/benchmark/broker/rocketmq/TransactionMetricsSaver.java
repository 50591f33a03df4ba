package io.openmessaging.benchmark.broker.rocketmq;

import java.lang.reflect.Field;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.transaction.TransactionMetricsFlushService;

/**
 * Saves the metrics of transactions as often as RocketMQ's own thread, and sleeps before the first time as well.
 * RocketMQ's own, in 5.5, asks for the time without a pause until the first interval is over: it takes a processor for ten
 * seconds, in which somebody measures. A shorter interval would shorten that, and sync to the disk more often ever after.
 */
final class TransactionMetricsSaver extends TransactionMetricsFlushService {

    /** As Linux shows it: the name of RocketMQ's own begins with a capital letter. */
    static final String THREAD = "metrics-saver";

    private final BrokerController broker;

    private TransactionMetricsSaver(BrokerController broker) {
        super(broker);
        this.broker = broker;
    }

    /** Takes the place of the broker's own, which has been running since the broker was created. */
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
            // Reports by itself what goes wrong.
            broker.getTransactionalMessageService().getTransactionMetrics().persist();
        }
    }
}
