package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.MessageType;
import io.openmessaging.benchmark.driver.rocketmq.RocketMqConfig.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MasterPromiseTest {

    private final Map<String, String> settings =
            new HashMap<>(Map.of("flushDiskType", "SYNC_FLUSH", "sendMessageThreadPoolNums", "1"));

    private Guarantee promise(int replicas) {
        return MasterPromise.of(TestConfigs.config(), settings, replicas);
    }

    private Order order(Map<String, ?> keys) {
        return MasterPromise.of(TestConfigs.of(keys), settings, 1).order();
    }

    private void assertCopies(int replicas, int copies, int acknowledged) {
        assertThat(promise(replicas).copies()).isEqualTo(copies);
        assertThat(promise(replicas).acknowledgedCopies()).isEqualTo(acknowledged);
    }

    @Test
    void slavesThatNobodyWaitsForDoNotCount() {
        settings.put("brokerRole", "ASYNC_MASTER");
        settings.put("inSyncReplicas", "2");
        assertCopies(2, 1, 1);
        assertThat(promise(2).survivesPowerCut()).isTrue();
    }

    @Test
    void aMasterThatIsSynchronousWaitsForAsManyAsItIsTold() {
        settings.put("brokerRole", "SYNC_MASTER");
        assertCopies(3, 1, 1);
        assertThat(promise(3).storage()).isEqualTo(Storage.SYNCED);
        settings.put("inSyncReplicas", "2");
        assertCopies(3, 3, 2);
        // The slaves have the message in files.
        assertThat(promise(3).storage()).isEqualTo(Storage.SYNCED_ONCE);
        assertThat(promise(3).survivesPowerCut()).isFalse();
    }

    @Test
    void underAControllerAllThatAreInSyncHaveIt() {
        settings.put("brokerRole", "SYNC_MASTER");
        settings.put("enableControllerMode", "true");
        settings.put("allAckInSyncStateSet", "true");
        settings.put("minInSyncReplicas", "2");
        assertCopies(3, 3, 2);
        assertThat(promise(3).storage()).isEqualTo(Storage.SYNCED_ONCE);
        assertThat(promise(3).survivesKill()).isTrue();
        assertThat(promise(3).survivesPowerCut()).isFalse();
        assertThat(promise(3).inWords())
                .isEqualTo("3 copies, 2 written, one of them synced to the disk, when acknowledged,"
                        + " survives a killed process");
        settings.put("flushDiskType", "ASYNC_FLUSH");
        assertThat(promise(3).storage()).isEqualTo(Storage.WRITTEN);
    }

    @Test
    void underAControllerASlaveThatTheMasterHasNotWaitedForMayTakeOver() {
        settings.put("brokerRole", "SYNC_MASTER");
        settings.put("enableControllerMode", "true");
        assertCopies(3, 3, 1);
        assertThat(promise(3).survivesKill()).isFalse();
        settings.put("inSyncReplicas", "3");
        assertThat(promise(3).survivesKill()).isTrue();
    }

    @Test
    void underAControllerTheOnlyAcknowledgedCopyMayBeLost() {
        settings.put("brokerRole", "SYNC_MASTER");
        settings.put("enableControllerMode", "true");
        settings.put("allAckInSyncStateSet", "true");
        assertCopies(3, 3, 1);
        assertThat(promise(3).storage()).isEqualTo(Storage.SYNCED_ONCE);
        assertThat(promise(3).survivesKill()).isFalse();
    }

    @Test
    void aBrokerThatStoresOnOneThreadKeepsTheOrder() {
        assertThat(order(Map.of())).isEqualTo(Order.PARTITION);
        for (String threads : List.of("4", "1, 4", "unknown")) {
            settings.put("sendMessageThreadPoolNums", threads);
            assertThat(order(Map.of())).as(threads).isEqualTo(Order.NONE);
        }
        settings.remove("sendMessageThreadPoolNums");
        assertThat(order(Map.of())).isEqualTo(Order.NONE);
    }

    @Test
    void aProducerThatSendsInParallelKeepsNoOrder() {
        assertThat(order(Map.of("autoBatch", true))).isEqualTo(Order.NONE);
        assertThat(order(Map.of("senderPool", true))).isEqualTo(Order.NONE);
        assertThat(order(Map.of("transactions", 1))).isEqualTo(Order.NONE);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void overGrpcNoOrderIsCertain(MessageType type) {
        assertThat(order(Map.of("protocol", Protocol.GRPC, "messageType", type)))
                .isEqualTo(Order.NONE);
    }

    @Test
    void whereMastersDifferTheWeakerOneCounts() {
        settings.put("flushDiskType", "SYNC_FLUSH, ASYNC_FLUSH");
        settings.put("brokerRole", "SYNC_MASTER, ASYNC_MASTER");
        settings.put("inSyncReplicas", "2");
        assertCopies(3, 1, 1);
        assertThat(promise(3).storage()).isEqualTo(Storage.UNKNOWN);
        settings.put("enableControllerMode", "false, true");
        assertThat(promise(3).survivesKill()).isFalse();
    }

    @Test
    void whatIsNotToldIsNotClaimed() {
        settings.clear();
        assertCopies(1, 1, 1);
        assertThat(promise(1).storage()).isEqualTo(Storage.UNKNOWN);
        settings.put("brokerRole", "SYNC_MASTER");
        settings.put("inSyncReplicas", "unknown");
        assertCopies(1, 1, 1);
    }
}
