package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MisspellingTest {

    @ParameterizedTest
    @CsvSource({
        "acks,acks,0",
        "ack,acks,1",
        "akcs,acks,1",
        "Ac_ks,acks,0",
        "'',acks,4",
        "linger.sm,linger.ms,1",
        "abc,xyz,3"
    })
    void lettersAreCounted(String a, String b, int letters) {
        for (int most = 0; most <= letters; most++) {
            assertThat(Misspelling.meant(a, List.of(b), most).isPresent()).isEqualTo(most == letters);
            assertThat(Misspelling.meant(b, List.of(a), most).isPresent()).isEqualTo(most == letters);
        }
    }
}
