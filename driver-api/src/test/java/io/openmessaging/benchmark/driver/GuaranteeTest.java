package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.Guarantee.Consumption;
import io.openmessaging.benchmark.driver.Guarantee.Order;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuaranteeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0 | MEMORY  | false | false | no copy is kept, survives no crash",
                "1 | 0 | SYNCED  | false | false | 1 copy, not acknowledged, survives no crash",
                "1 | 1 | MEMORY  | false | false | 1 copy, in memory when acknowledged, survives no crash",
                "3 | 2 | MEMORY  | true  | false | 3 copies, 2 in memory when acknowledged, survives a killed process",
                "3 | 2 | WRITTEN | true  | false | 3 copies, 2 written but not synced when acknowledged, survives a killed process",
                "2 | 2 | SYNCED_ONCE | true | false | 2 copies, 2 written, one of them synced to the disk, when acknowledged, survives a killed process",
                "3 | 1 | UNKNOWN | true  | false | 3 copies, 1 written, and synced or not, when acknowledged, survives a killed process",
                "1 | 1 | SYNCED  | true  | true  | 1 copy, synced to the disk when acknowledged, survives a power cut",
            })
    void whatSurvivesFollowsFromWhereTheCopiesAre(
            int copies, int acknowledged, Storage storage, boolean kill, boolean powerCut, String words) {
        Guarantee guarantee = new Guarantee(copies, acknowledged, storage, Consumption.ACKNOWLEDGED, Order.PARTITION);

        assertThat(guarantee.survivesKill()).isEqualTo(kill);
        assertThat(guarantee.survivesPowerCut()).isEqualTo(powerCut);
        assertThat(guarantee.inWords()).isEqualTo(words);
    }
}
