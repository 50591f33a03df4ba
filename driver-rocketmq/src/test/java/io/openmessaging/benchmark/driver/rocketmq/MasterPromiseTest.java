package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterPromiseTest {

    private final Map<String, String> settings = new HashMap<>(Map.of("flushDiskType", "SYNC_FLUSH"));

    private Guarantee promise(int replicas) {
        return MasterPromise.of(settings, replicas, Order.PARTITION);
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
        settings.put("inSyncReplicas", "2");
        assertCopies(3, 3, 2);
        assertThat(promise(3).survivesPowerCut()).isTrue();
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
    void whatIsNotToldIsNotClaimed() {
        settings.clear();
        assertCopies(1, 1, 1);
        assertThat(promise(1).storage()).isEqualTo(Storage.UNKNOWN);
        settings.put("brokerRole", "SYNC_MASTER");
        settings.put("inSyncReplicas", "unknown");
        assertCopies(1, 1, 1);
    }
}
