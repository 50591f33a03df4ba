package io.openmessaging.benchmark.driver.redis.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntryIdTest {

    private static EntryId id(String text) {
        return EntryId.parse(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void isParsedAndPrinted() {
        assertThat(id("1700000000123-45")).isEqualTo(new EntryId(1_700_000_000_123L, 45));
        assertThat(id("18446744073709551615-18446744073709551615"))
                .hasToString("18446744073709551615-18446744073709551615");
    }

    @Test
    void isOrderedAsRedisOrdersThem() {
        assertThat(List.of(EntryId.NONE, id("0-1"), id("9-9"), id("10-0"), id("10-2"), id("18446744073709551615-0")))
                .isSorted();
    }
}
