package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.PrometheusText;
import io.openmessaging.benchmark.measure.CollectorWork;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class SeriesMappingTest {

    @Test
    void theFiguresOfAJvm() throws Exception {
        assertThat(SeriesMapping.SHIPPED.figures(PrometheusText.parse("""
                        process_cpu_seconds_total 2.5
                        process_resident_memory_bytes 1000
                        jvm_memory_used_bytes{area="heap"} 600
                        jvm_memory_used_bytes{area="nonheap"} 70
                        jvm_gc_collection_seconds_count{gc="G1 Young Generation"} 3
                        jvm_gc_collection_seconds_count{gc="G1 Old Generation"} 1
                        jvm_gc_collection_seconds_sum{gc="G1 Young Generation"} 0.25
                        jvm_gc_collection_seconds_sum{gc="G1 Old Generation"} 0.5
                        something_else 1
                        """, name -> true)))
                .isEqualTo(Map.of(
                        Figure.CPU_CORE_PERCENT, 2.5e9,
                        Figure.RESIDENT_BYTES, 1000.0,
                        Figure.HEAP_USED_BYTES, 600.0,
                        Figure.COLLECTIONS_PER_SEC, 4.0,
                        Figure.COLLECTION_PERCENT, 750.0));
    }

    @Test
    void collectionsAreToldByCollector() throws Exception {
        assertThat(SeriesMapping.SHIPPED.collectors(PrometheusText.parse("""
                        jvm_gc_collection_seconds_count{gc="G1 Young Generation"} 3
                        jvm_gc_collection_seconds_sum{gc="G1 Young Generation"} 0.25
                        jvm_gc_collection_seconds_count{gc="G1 Old Generation"} 0
                        jvm_gc_collection_seconds_sum{gc="G1 Old Generation"} 0.0
                        erlang_vm_statistics_garbage_collection_number_of_gcs 17
                        """, name -> true)))
                .isEqualTo(Map.of(
                        "G1 Young Generation", new CollectorWork(3, 250), "G1 Old Generation", CollectorWork.NONE));
    }

    @Test
    void aFigureMayBeTheSumOfTwoSeries() throws Exception {
        assertThat(SeriesMapping.SHIPPED.figures(PrometheusText.parse("""
                        used_memory 1000
                        used_memory_rss 2000
                        used_cpu_user 1.5
                        used_cpu_sys 0.25
                        total_commands_processed 7
                        """, name -> true)))
                .isEqualTo(Map.of(
                        Figure.BROKER_MEMORY_BYTES, 1000.0,
                        Figure.RESIDENT_BYTES, 2000.0,
                        Figure.CPU_CORE_PERCENT, 1.75e9,
                        Figure.BROKER_COMMANDS_PER_SEC, 7.0));
    }

    @Test
    void natsTellsItsMemoryTrafficAndMessages() throws Exception {
        assertThat(SeriesMapping.SHIPPED.figures(PrometheusText.parse("""
                        gnatsd_varz_mem{server_id="a"} 1000
                        gnatsd_varz_in_bytes{server_id="a"} 20
                        gnatsd_varz_out_bytes{server_id="a"} 30
                        jetstream_server_total_messages{server_id="a"} 4
                        """, name -> true)))
                .isEqualTo(Map.of(
                        Figure.RESIDENT_BYTES, 1000.0,
                        Figure.NETWORK_RECEIVED_BYTES_PER_SEC, 20.0,
                        Figure.NETWORK_SENT_BYTES_PER_SEC, 30.0,
                        Figure.BROKER_MESSAGES, 4.0));
    }

    @Test
    void whatIsLeftOutNeedNotBeAskedFor() {
        assertThat(SeriesMapping.SHIPPED.names(ProcessProbe.FIGURES))
                .contains("jvm_gc_collection_seconds_count", "jvm_memory_used_bytes")
                .doesNotContain("process_cpu_seconds_total", "jvm_threads_current");
    }

    @Test
    void whatIsNoNumberIsNoFigure() throws Exception {
        assertThat(SeriesMapping.SHIPPED.figures(PrometheusText.parse("process_cpu_seconds_total NaN", name -> true)))
                .isEmpty();
    }

    @Test
    void aWrongEntryIsRefused() {
        Properties unknownFigure = new Properties();
        unknownFigure.setProperty("jmx.speed", "a");
        assertThatThrownBy(() -> SeriesMapping.of(unknownFigure)).hasMessage("jmx.speed: there is no figure speed");

        Properties noSeries = new Properties();
        noSeries.setProperty("jmx.threads", "a b c");
        assertThatThrownBy(() -> SeriesMapping.of(noSeries)).hasMessage("jmx.threads: not a series: a b c");
    }
}
