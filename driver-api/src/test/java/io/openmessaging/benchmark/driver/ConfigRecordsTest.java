package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConfigRecordsTest {

    /** A configuration record such as drivers have. */
    public record Config(String address, int size, @Nullable String user) {

        /** Rejects a negative size. */
        public Config {
            address = address == null ? "default" : address;
            if (size < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    record Hidden(int size) {}

    private static final Config CONFIG = new Config("a", 1, "u");

    @Test
    void onlyWhatIsNamedChanges() {
        assertThat(ConfigRecords.with(CONFIG, Map.of("address", "b", "size", 2)))
                .isEqualTo(new Config("b", 2, "u"));
        assertThat(ConfigRecords.with(CONFIG, Map.of())).isEqualTo(CONFIG);
    }

    @Test
    void nullIsAValueAndGoesThroughTheConstructor() {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("address", null);
        changes.put("user", null);
        assertThat(ConfigRecords.with(CONFIG, changes)).isEqualTo(new Config("default", 1, null));
    }

    @Test
    void aMistakeOfTheCallerIsNamed() {
        assertThatThrownBy(() -> ConfigRecords.with(CONFIG, Map.of("adress", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Config has no component [adress]");
        assertThatThrownBy(() -> ConfigRecords.with(CONFIG, Map.of("size", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Config does not take {size=-1}")
                .hasRootCauseMessage("negative");
        assertThatThrownBy(() -> ConfigRecords.with(new Hidden(1), Map.of("size", 2)))
                .hasMessage("Hidden must be a public record");
    }
}
