package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.PrometheusText.Sample;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrometheusTextTest {

    @Test
    void readsNamesLabelsAndValues() throws Exception {
        assertThat(PrometheusText.parse("""
                # HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total 12.5

                jvm_memory_used_bytes{area="heap"} 1.2345678E7
                jvm_memory_used_bytes{area="nonheap",} 17
                up{ path = "C:\\\\dir" , quote="say \\"a\\"", line="1\\n2" } 1 1395066363000
                bucket{le="+Inf"} +Inf
                gone{} NaN
                # EOF
                """, name -> true))
                .containsExactly(
                        new Sample("process_cpu_seconds_total", Map.of(), 12.5),
                        new Sample("jvm_memory_used_bytes", Map.of("area", "heap"), 12_345_678),
                        new Sample("jvm_memory_used_bytes", Map.of("area", "nonheap"), 17),
                        new Sample("up", Map.of("path", "C:\\dir", "quote", "say \"a\"", "line", "1\n2"), 1),
                        new Sample("bucket", Map.of("le", "+Inf"), Double.POSITIVE_INFINITY),
                        new Sample("gone", Map.of(), Double.NaN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "name",
                "name value",
                "name{label} 1",
                "name{label=value} 1",
                "name{label=\"value} 1",
                "name{label=\"value\" other=\"a\"} 1",
                "name{label=\"value\"",
                "{label=\"value\"} 1"
            })
    void saysWhichLineIsNoSample(String line) {
        assertThatThrownBy(() -> PrometheusText.parse("good 1\n" + line, name -> true))
                .isInstanceOf(PrometheusText.FormatException.class)
                .hasMessage("line 2 is not a sample: '" + line + "'");
    }
}
