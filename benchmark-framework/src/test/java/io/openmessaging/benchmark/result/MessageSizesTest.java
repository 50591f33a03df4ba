package io.openmessaging.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.WorkloadFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageSizesTest {

    @TempDir
    Path folder;

    private String words(String keys) throws Exception {
        Path file = Files.writeString(folder.resolve("workload.yaml"), """
                topics: 1
                partitionsPerTopic: 1
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                testDuration: 10s
                """ + keys);
        return MessageSizes.of(WorkloadFile.read(file, folder).workload());
    }

    @Test
    void theMeanIsToldWhereThereAreSeveral() throws Exception {
        assertThat(words("messageSize: 1024")).isEqualTo("messages of 1,024 bytes");
        assertThat(words("messageSizeDistribution: [{size: 100, weight: 70}, {size: 1000, weight: 30}]"))
                .isEqualTo("messages of 100 to 1,000 bytes, 370 on average");
    }

    @Test
    void recordsAreCounted() throws Exception {
        Files.writeString(folder.resolve("lines.txt"), "0123456789\n0123456789a\n0123456789a\n");
        assertThat(words("payloadFile: lines.txt\npayloadRecords: LINES"))
                .isEqualTo("messages of 10 to 11 bytes, 10.7 on average (3 records)");
        assertThat(words("payloadFile: lines.txt\npayloadRecords: LINES\npadRecordsTo: 32"))
                .isEqualTo("messages of 32 bytes (3 records)");
    }
}
