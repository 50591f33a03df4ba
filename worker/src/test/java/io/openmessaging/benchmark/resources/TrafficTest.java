package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.resources.HostProbe.Traffic;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import oshi.SystemInfo;
import oshi.hardware.HardwareAbstractionLayer;

/** Counters that are read directly equal those that the library reads. */
class TrafficTest {

    private static EnumMap<Figure, Double> read(Traffic traffic) {
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        traffic.read(figures);
        return figures;
    }

    /** Counters only grow, so a reading in between must lie in between. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void agreesWithTheLibrary() {
        HardwareAbstractionLayer hardware = new SystemInfo().getHardware();
        Traffic direct = Traffic.of(hardware);
        Traffic library = new Traffic(hardware.getDiskStores(), hardware.getNetworkIFs(), false);

        EnumMap<Figure, Double> before = read(direct);
        EnumMap<Figure, Double> between = read(library);
        EnumMap<Figure, Double> after = read(direct);

        assertThat(direct.direct()).isTrue();
        assertThat(between).hasSize(4);
        for (Map.Entry<Figure, Double> each : between.entrySet()) {
            assertThat(each.getValue())
                    .as(each.getKey().label())
                    .isBetween(before.get(each.getKey()), after.get(each.getKey()));
        }
    }
}
