package io.openmessaging.benchmark.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.payload.PayloadFile;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payload files of many records. */
class PayloadRecordsTest {

    private static final String KEYS = """
            topics: 1
            partitionsPerTopic: 1
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            producerRate: 1000
            testDuration: 10s
            payloadFile: records
            """;

    private static final String LINES = KEYS + "payloadRecords: LINES\n";
    private static final String PREFIXED = KEYS + "payloadRecords: LENGTH_PREFIXED\n";
    private static final String FILES = KEYS + "payloadRecords: FILES\n";

    @TempDir
    Path folder;

    private Path records;

    @BeforeEach
    void nameTheFile() {
        records = folder.resolve("records");
    }

    @Test
    void everyLineIsAMessageOfItsOwnSize() throws Exception {
        Files.writeString(records, "the first line\nthe second line is longer\nthe third line\n");
        WorkloadFile read = read(LINES);
        assertThat(texts(read)).containsExactly("the first line", "the second line is longer", "the third line");

        Workload workload = read.workload();
        assertThat(workload.recordCount()).isEqualTo(3);
        assertThat(workload.smallestMessageBytes()).isEqualTo(14);
        assertThat(workload.largestMessageBytes()).isEqualTo(25);
        assertThat(workload.meanMessageBytes()).isCloseTo((14 + 14 + 25) / 3.0, within(1e-9));
        assertThat(workload.messageSize()).as("for readers of OMB's field").isEqualTo(18);
        assertThat(workload.headerLayout()).isEqualTo(MessageHeader.Layout.COMPACT);
        assertThat(read.settings()).containsEntry("payloadRecords", "LINES").doesNotContainKey("messageSize");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0123456789\nabcdefghij",
                "0123456789\nabcdefghij\n",
                "0123456789\r\nabcdefghij\r\n",
                "0123456789\r\nabcdefghij",
                "\uFEFF0123456789\nabcdefghij\n"
            })
    void theEndOfALineAndAByteOrderMarkAreNoPartOfARecord(String content) throws Exception {
        Files.writeString(records, content);
        assertThat(texts(read(LINES))).containsExactly("0123456789", "abcdefghij");
    }

    @Test
    void aReturnWithinALineIsAPartOfIt() throws Exception {
        Files.writeString(records, "01234\r56789\nabcdefghij\r");
        assertThat(texts(read(LINES))).containsExactly("01234\r56789", "abcdefghij\r");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF"})
    void aFileWithoutARecordIsRefused(String content) throws Exception {
        Files.writeString(records, content);
        refuses(LINES, "payloadFile: must have a record, has none, got 'records'");
    }

    @Test
    void aRecordThatIsSmallerThanTheHeaderIsNamed() throws Exception {
        Files.writeString(records, "0123456789\n\n0123456789\n012345678\n");
        refuses(
                LINES,
                "payloadFile: must have records of at least 10 bytes, which the harness' header replaces; line 2 has 0,"
                        + " the first of 2 that are too small, of 4. padRecordsTo: 10 lengthens them, skipRecordsBelow: 10"
                        + " leaves them out, got 'records'");
        assertThat(texts(read(LINES + "skipRecordsBelow: 10"))).containsExactly("0123456789", "0123456789");
        assertThat(texts(read(LINES + "padRecordsTo: 10")))
                .containsExactly("0123456789", "          ", "0123456789", "012345678 ");
        assertThat(texts(read(LINES + "padRecordsTo: 10\nskipRecordsBelow: 1")))
                .containsExactly("0123456789", "0123456789", "012345678 ");
        refuses(
                LINES + "skipRecordsBelow: 11",
                "payloadFile: must have a record of at least 11 bytes (skipRecordsBelow); all 4 are smaller, got"
                        + " 'records'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "verifyPayloads: true | 40 | which have room for a whole header and checksums, as verifyPayloads needs",
                "slo: {scheduledEndToEndLatency99pct: 1s} | 32 | which carry their intended send time, as"
                        + " scheduledEndToEndLatency99pct needs",
                "producersPerTopic: 70000 | 32 | which the harness' header for this many producers replaces"
            })
    void theLeastSizeIsThatOfWhatTheWorkloadAsksFor(String key, int bytes, String reason) throws Exception {
        Files.writeString(records, "a".repeat(bytes) + "\n" + "b".repeat(bytes - 1));
        String keys =
                LINES.replace("producersPerTopic: 1\n", key.startsWith("producers") ? "" : "producersPerTopic: 1\n")
                        + key;
        refuses(
                keys,
                "payloadFile: must have records of at least %1$d bytes, %2$s; line 2 has %3$d, the first of 1 that are too"
                                .formatted(bytes, reason, bytes - 1)
                        + " small, of 2. padRecordsTo: %1$d lengthens them, skipRecordsBelow: %1$d leaves them out, got"
                                .formatted(bytes)
                        + " 'records'");
        assertThat(read(keys + "\npadRecordsTo: " + bytes).workload().headerLayout())
                .isEqualTo(MessageHeader.Layout.FULL);
    }

    /** The mean size of the records converts a rate in bytes to messages; it is known once the records are. */
    @Test
    void aRateInBytesIsOfTheMeanSize() throws Exception {
        Files.writeString(records, "a".repeat(50) + "\n" + "b".repeat(150));
        String keys = LINES.replace("producerRate: 1000", "producerRate: 1 MB/s");
        assertThat(read(keys).workload().messageRate()).isEqualTo(new ProducerRate.Fixed(10_000));
    }

    @Test
    void aLengthOfFourBytesPrecedesEachRecord() throws Exception {
        Files.write(records, prefixed("0123456789", "a\nsecond\r\nrecord"));
        assertThat(texts(read(PREFIXED))).containsExactly("0123456789", "a\nsecond\r\nrecord");
    }

    @Test
    void whatIsNotLengthPrefixedIsRefused() throws Exception {
        byte[] sound = prefixed("0123456789", "abcdefghij");
        write(sound, sound.length - 1);
        refuses(
                PREFIXED,
                "payloadFile: ends within record 2 (at byte 14): its length says 10 bytes, 9 follow; a file of"
                        + " lines needs payloadRecords: LINES, got 'records'");
        write(sound, 16);
        refuses(
                PREFIXED,
                "payloadFile: ends within the length of record 2 (at byte 14): has 2 of the 4 bytes, the"
                        + " highest of which comes first, got 'records'");
        Files.writeString(records, "{\"is\": \"a line\"}\n");
        refuses(
                PREFIXED,
                "payloadFile: ends within record 1 (at byte 0): its length says 2065852787 bytes, 13 follow; a"
                        + " file of lines needs payloadRecords: LINES, got 'records'");
        Files.write(records, new byte[] {10, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        refuses(
                PREFIXED,
                "payloadFile: ends within record 1 (at byte 0): its length says 167772160 bytes, 10 follow;"
                        + " lengths are big-endian, but these seem to be little-endian, got 'records'");
        Files.write(records, new byte[] {-1, -1, -1, -1, 1});
        refuses(
                PREFIXED,
                "payloadFile: ends within record 1 (at byte 0): its length says 4294967295 bytes, 1 follow; a"
                        + " file of lines needs payloadRecords: LINES, got 'records'");
        Files.write(records, prefixed("0123456789", ""));
        refuses(
                PREFIXED,
                "payloadFile: must have records of at least 10 bytes, which the harness' header replaces; record"
                        + " 2 (at byte 14) has 0, the first of 1 that are too small, of 2. padRecordsTo: 10 lengthens them,"
                        + " skipRecordsBelow: 10 leaves them out, got 'records'");
    }

    @Test
    void theFilesOfAFolderComeInTheOrderOfTheirNames() throws Exception {
        Files.createDirectories(records);
        Files.writeString(records.resolve("b.json"), "the second\n");
        Files.writeString(records.resolve("a.json"), "the first file");
        Files.writeString(records.resolve(".hidden"), "x");
        Files.createDirectories(records.resolve(".git"));
        WorkloadFile read = read(FILES);
        assertThat(texts(read)).containsExactly("the first file", "the second\n");
        assertThat(read.payload().orElseThrow().files())
                .containsExactly(records.resolve("a.json"), records.resolve("b.json"));

        Files.writeString(records.resolve("c.json"), "");
        refuses(
                FILES,
                "payloadFile: must have records of at least 10 bytes, which the harness' header replaces; the file"
                        + " 'c.json' has 0, the first of 1 that are too small, of 3. padRecordsTo: 10 lengthens them,"
                        + " skipRecordsBelow: 10 leaves them out, got 'records'");
        Files.createDirectories(records.resolve("d"));
        refuses(
                FILES + "skipRecordsBelow: 1",
                "payloadFile: must contain only files, but 'd' is a folder: use one workload per folder, or copy all files"
                        + " into one, got 'records'");
    }

    @Test
    void aFolderWithoutAFileIsRefused() throws Exception {
        Files.createDirectories(records);
        refuses(FILES, "payloadFile: must have a record, has none, got 'records'");
    }

    @Test
    void theOtherKindOfPathIsTold() throws Exception {
        String places = " in the current folder, in " + folder + " or beside the workload, ";
        Files.writeString(records, "a line");
        refuses(
                FILES,
                "payloadFile: there is no such folder" + places
                        + "but a file: payloadRecords: LINES or LENGTH_PREFIXED sends its records, got 'records'");
        Files.delete(records);
        Files.createDirectories(records);
        String folderInstead = "payloadFile: there is no such file" + places
                + "but a folder: payloadRecords: FILES sends its files, got 'records'";
        refuses(LINES, folderInstead);
        refuses(KEYS + "messageSize: 100", folderInstead);
    }

    @Test
    void aFileOfManyLinesNeedsTheKeyThatSaysSo() throws Exception {
        Files.writeString(records, "0123456789\n".repeat(99));
        refuses(
                KEYS + "messageSize: 100",
                "payloadFile: must have 100 bytes (messageSize), has 1089; a file of many records needs payloadRecords"
                        + " instead of messageSize, got 'records'");
    }

    @Test
    void whatHasNoLinesOfBytesIsTold() throws Exception {
        write(new byte[] {(byte) 0xFF, (byte) 0xFE, 'a', 0, '\n', 0}, 6);
        refuses(
                LINES,
                "payloadFile: is UTF-16, whose line ends are more than one byte: iconv -t UTF-8 converts it, got"
                        + " 'records'");
        write(new byte[] {0x1F, (byte) 0x8B, 8, 0}, 4);
        refuses(LINES, "payloadFile: is compressed with gzip: gunzip -k unpacks it, got 'records'");
    }

    @Test
    void asMuchIsReadAsThereIsMemoryFor() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(records.toFile(), "rw")) {
            file.setLength(PayloadSpec.MAX_GIVEN_BYTES + 1L);
        }
        String tooLarge =
                "payloadFile: must have at most 33554432 bytes (32 MiB, since each sending thread and worker has"
                        + " a copy of all), has %d; use only a part of it, got 'records'";
        refuses(LINES, tooLarge.formatted(33_554_433));

        Files.writeString(records, "0123456789\n".repeat(PayloadSpec.MAX_GIVEN));
        assertThat(read(LINES).workload().recordCount()).isEqualTo(PayloadSpec.MAX_GIVEN);
        refuses(LINES + "padRecordsTo: 1000", tooLarge.formatted(33_555_000));
        Files.writeString(records, "0123456789\n".repeat(PayloadSpec.MAX_GIVEN + 1));
        refuses(
                LINES,
                "payloadFile: must have at most 200000 records, line 200001 is one more; use only a part of it,"
                        + " got 'records'");
    }

    @Test
    void whatContradictsTheRecordsIsRefused() throws Exception {
        Files.writeString(records, "0123456789\n");
        refuses(
                LINES + "messageSize: 100",
                "messageSize: must be absent with payloadRecords, each of which has a size of its own, got 100");
        refuses(
                LINES + "messageSizeDistribution: [{size: 100, weight: 1}]",
                "payloadFile: must be absent with messageSizeDistribution, got 'records'",
                "messageSizeDistribution: must be absent with payloadRecords, each of which has a size of its own, got a"
                        + " list");
        refuses(
                LINES + "useRandomizedPayloads: true\nrandomizedPayloadPoolSize: 10",
                "payloadRecords: must be absent with useRandomizedPayloads, which generates the payloads, got LINES");
        refuses(
                LINES.replace("payloadFile: records\n", ""),
                "payloadRecords: needs a payloadFile, which has the records, got LINES");
        refuses(
                KEYS.replace("payloadFile: records\n", "messageSize: 100\n") + "padRecordsTo: 32",
                "padRecordsTo: must be absent with messageSize, got 32");
    }

    @Test
    void whatIsWrongBesidesIsToldTogether() throws Exception {
        Files.writeString(records, "0123456789\n9\n");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(LINES.replace("topics: 1", "topics: 0")))
                .withMessageContaining("topics: must be")
                .withMessageContaining("line 2 has 1");
    }

    @Test
    void recordsThatHaveChangedAreNotSent() throws Exception {
        Files.writeString(records, "0123456789\n");
        PayloadFile payload = read(LINES).payload().orElseThrow();
        Files.writeString(records, "0123456789a\n");
        assertThatIOException()
                .isThrownBy(payload::contents)
                .withMessage(records + " has changed since the workload was read");
        Files.writeString(records, "0\n");
        assertThatIOException().isThrownBy(payload::contents).withMessageContaining("line 1 has 1");
    }

    private void write(byte[] bytes, int length) throws IOException {
        Files.write(records, Arrays.copyOf(bytes, length));
    }

    private static byte[] prefixed(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            byte[] record = text.getBytes(UTF_8);
            bytes.writeBytes(ByteBuffer.allocate(4).putInt(record.length).array());
            bytes.writeBytes(record);
        }
        return bytes.toByteArray();
    }

    private static List<String> texts(WorkloadFile read) throws IOException {
        return read.payload().orElseThrow().contents().stream()
                .map(content -> new String(content, UTF_8))
                .toList();
    }

    private WorkloadFile read(String yaml) throws ConfigException, IOException {
        return WorkloadFile.read(Files.writeString(folder.resolve("workload.yaml"), yaml), folder);
    }

    private void refuses(String yaml, String... messages) {
        Path file = folder.resolve("workload.yaml");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(yaml))
                .withMessage(file + ": " + String.join("\n" + file + ": ", messages));
    }
}
