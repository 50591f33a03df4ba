package io.openmessaging.benchmark.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChronyTest {

    private static final String REPORT = "A9FEA97B,169.254.169.123,4,1790000000.123456789,-0.000012345,0.000001000,"
            + "0.000020000,-3.141,0.001,0.020,0.000400000,0.000150000,16.1,Normal\n";

    @Test
    void itReadsAReport() {
        assertThat(Chrony.parse(REPORT)).contains(new Chrony(12_345, 400_000, 150_000));
    }

    @Test
    void whatIsNoReportSaysNothing() {
        assertThat(Chrony.parse("")).isEmpty();
        assertThat(Chrony.parse("506 Cannot talk to daemon\n")).isEmpty();
        assertThat(Chrony.parse(REPORT.replace("Normal", "Not synchronised"))).isEmpty();
        assertThat(Chrony.parse(REPORT.replace("-0.000012345", "much"))).isEmpty();
    }

    @Test
    void itAsksACommand() throws InterruptedException {
        assertThat(Chrony.ask(List.of("printf", "%s", REPORT))).contains(new Chrony(12_345, 400_000, 150_000));
        assertThat(Chrony.ask(List.of("there-is-no-such-command"))).isEmpty();
        assertThat(Chrony.ask(List.of("false"))).isEmpty();
    }
}
