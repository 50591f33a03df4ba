package io.openmessaging.benchmark.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuiteRecordTest {

    @Test
    void processorTimeIsThatOfTheProcessAndOfChildrenThatItWaitedFor() {
        String stat =
                "4242 (a name) with blanks) S 1 4242 4242 0 -1 4194560 100 200 0 0 150 50 3000 7 20 0 12 0 99 1 2";
        assertThat(SuiteRecord.cpuMs(stat)).isEqualTo((150 + 50 + 3000 + 7) * 10);
    }
}
