package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.ProducerRate.Fixed;
import io.openmessaging.benchmark.config.ProducerRate.MaxSustainable;
import io.openmessaging.benchmark.config.payload.PayloadFile;
import io.openmessaging.benchmark.load.KeyDistribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadFileTest {

    private static final String LEAST = """
            topics: 2
            partitionsPerTopic: 3
            messageSize: 100
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            """;

    @TempDir
    Path folder;

    private Path home;
    private Path workloads;

    @BeforeEach
    void createFolders() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        workloads = Files.createDirectories(folder.resolve("workloads"));
    }

    @Test
    void hasOmbsDefaults() throws Exception {
        Workload workload = read(LEAST + "testDurationMinutes: 5").workload();

        assertThat(workload.topics()).isEqualTo(2);
        assertThat(workload.partitionsPerTopic()).isEqualTo(3);
        assertThat(workload.keyDistributor()).isEqualTo(KeyDistribution.NO_KEY);
        assertThat(workload.useRandomizedPayloads()).isFalse();
        assertThat(workload.payloadFile()).isNull();
        assertThat(workload.producerRate()).isEqualTo(new MaxSustainable());
        assertThat(workload.consumerBacklogSizeGB()).isZero();
        assertThat(workload.buildsBacklog()).isFalse();
        assertThat(workload.backlogDrainRatio()).isEqualTo(1.0);
        assertThat(workload.warmupTime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(workload.testTime()).contains(Duration.ofMinutes(5));
        assertThat(workload.messageCount()).isNull();
        assertThat(workload.samplePeriod()).isEqualTo(Duration.ofSeconds(10));
        assertThat(workload.hasConsumers()).isTrue();
    }

    @Test
    void takesEveryKeyOfOmb() throws Exception {
        Workload workload = read("""
                        name: all of them
                        topics: 1
                        partitionsPerTopic: 2
                        keyDistributor: "key_round_robin"
                        messageSize: 1024
                        useRandomizedPayloads: true
                        randomBytesRatio: 0.5
                        randomizedPayloadPoolSize: 10
                        payloadFile: not/looked/at.data
                        subscriptionsPerTopic: 3
                        producersPerTopic: 4
                        consumerPerSubscription: 5
                        producerRate: 10000
                        consumerBacklogSizeGB: 6
                        backlogDrainRatio: 0.9
                        testDurationMinutes: 7
                        warmupDurationMinutes: 0
                        """).workload();

        assertThat(workload)
                .returns("all of them", Workload::name)
                .returns(1, Workload::topics)
                .returns(2, Workload::partitionsPerTopic)
                .returns(KeyDistribution.KEY_ROUND_ROBIN, Workload::keyDistributor)
                .returns(1024, Workload::messageSize)
                .returns(true, Workload::useRandomizedPayloads)
                .returns(0.5, Workload::randomBytesRatio)
                .returns(10, Workload::randomizedPayloadPoolSize)
                .returns("not/looked/at.data", Workload::payloadFile)
                .returns(3, Workload::subscriptionsPerTopic)
                .returns(4, Workload::producersPerTopic)
                .returns(5, Workload::consumerPerSubscription)
                .returns(new Fixed(10_000), Workload::producerRate)
                .returns(6L, Workload::consumerBacklogSizeGB)
                .returns(0.9, Workload::backlogDrainRatio)
                .returns(Optional.of(Duration.ofMinutes(7)), Workload::testTime);
        assertThat(workload.warmupTime()).isZero();
        assertThat(workload.buildsBacklog()).isTrue();
    }

    @Test
    void theHarnessOwnWorkloadsNeedFewKeysAndMayBeShort() {
        WorkloadFile own = WorkloadFile.of("own", Map.of("topics", "2", "producerRate", "5", "testDuration", "300ms"));
        assertThat(own.workload())
                .returns("own", Workload::name)
                .returns(2, Workload::topics)
                .returns(new Fixed(5), Workload::producerRate)
                .returns(Optional.of(Duration.ofMillis(300)), Workload::testTime)
                .returns(Duration.ofSeconds(10), Workload::samplePeriod);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkloadFile.of("own", Map.of("topcis", "2")))
                .withMessage("own: topcis: unknown key, did you mean 'topics'?");
    }

    @Test
    void takesTheNewKeys() throws Exception {
        Workload workload = read(LEAST + """
                        producerRate: unlimited
                        testDuration: 1m30s
                        warmupDuration: 5s
                        messageCount: 1_000_000
                        samplePeriod: 500ms
                        resourcePeriod: 0s
                        searchStep: 1m
                        searchDuration: 10m
                        """).workload();

        assertThat(workload.producerRate()).isEqualTo(new ProducerRate.Unlimited());
        assertThat(workload.testTime()).contains(Duration.ofSeconds(90));
        assertThat(workload.warmupTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(workload.messageCount()).isEqualTo(1_000_000);
        assertThat(workload.resourcePeriod()).isZero();
        assertThat(workload.samplePeriod()).isEqualTo(Duration.ofMillis(500));
        assertThat(workload.searchStep()).isEqualTo(Duration.ofMinutes(1));
        assertThat(workload.searchDuration()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void aNumberOfMessagesNeedsNoDuration() throws Exception {
        assertThat(read(LEAST + "producerRate: 10\nmessageCount: 100")
                        .workload()
                        .testTime())
                .isEmpty();
    }

    @Test
    void nobodyHasToConsume() throws Exception {
        String sendOnly = LEAST.replace("subscriptionsPerTopic: 1", "subscriptionsPerTopic: 0");

        assertThat(read(sendOnly + "testDuration: 10s").workload().hasConsumers())
                .isFalse();
    }

    @Test
    void isNamedAfterItsFileUnlessItHasAName() throws Exception {
        assertThat(read(LEAST + "testDuration: 10s").workload().name()).isEqualTo("some.workload");
        assertThat(read(LEAST + "testDuration: 10s\nname:").workload().name()).isEqualTo("some.workload");

        WorkloadFile named = read(LEAST + "testDuration: 10s\nname: 100");
        assertThat(named.workload().name()).isEqualTo("100");
        assertThat(named.baseName()).isEqualTo("some.workload");
    }

    @Test
    void keepsWhatIsWritten() throws Exception {
        WorkloadFile file = read(LEAST + "testDuration: 10s");

        assertThat(file.settings().entrySet().stream().map(Object::toString))
                .containsExactly(
                        "topics=2",
                        "partitionsPerTopic=3",
                        "messageSize=100",
                        "subscriptionsPerTopic=1",
                        "consumerPerSubscription=1",
                        "producersPerTopic=1",
                        "testDuration=10s");
    }

    @Test
    void findsThePayloadInTheHomeFolderBeforeTheWorkloadsFolder() throws Exception {
        Path besideTheWorkload = Files.write(workloads.resolve("a.data"), new byte[100]);
        String withPayload = LEAST + "testDuration: 10s\npayloadFile: a.data";
        assertThat(payloadOf(withPayload)).contains(besideTheWorkload);

        Path inHome = Files.write(home.resolve("a.data"), new byte[100]);
        assertThat(payloadOf(withPayload)).contains(inHome);
    }

    @Test
    void findsThePayloadInTheCurrentFolderFirst() throws Exception {
        Path here = Files.createTempFile(Path.of("target").toAbsolutePath(), "payload", ".data");
        try {
            Path relative = Path.of("").toAbsolutePath().relativize(here);
            Files.write(here, new byte[100]);
            Files.createDirectories(home.resolve(relative).getParent());
            Files.write(home.resolve(relative), new byte[100]);

            assertThat(payloadOf(LEAST + "testDuration: 10s\npayloadFile: " + relative))
                    .contains(relative);
        } finally {
            Files.delete(here);
        }
    }

    @Test
    void takesAnAbsolutePathToThePayload() throws Exception {
        Path payload = Files.write(folder.resolve("absolute.data"), new byte[100]);

        assertThat(payloadOf(LEAST + "testDuration: 10s\npayloadFile: " + payload))
                .contains(payload);
    }

    @Test
    void refusesAPayloadThatIsNotThere() throws IOException {
        Files.createDirectories(home.resolve("folder.data"));
        String rule = "there is no such file in the current folder, in " + home + " or beside the workload";

        refuses(
                LEAST + "testDuration: 10s\npayloadFile: payload/none.data",
                "payloadFile: " + rule + ", got 'payload/none.data'");
        refuses(
                LEAST + "testDuration: 10s\npayloadFile: folder.data",
                "payloadFile: " + rule + ", but a folder: payloadRecords: FILES sends its files, got 'folder.data'");
    }

    @Test
    void refusesAPayloadOfAnotherLength() throws IOException {
        Files.write(home.resolve("a.data"), new byte[99]);

        refuses(
                LEAST + "testDuration: 10s\npayloadFile: a.data",
                "payloadFile: must have 100 bytes (messageSize), has 99; a file of many records needs payloadRecords"
                        + " instead of messageSize, got 'a.data'");
    }

    @Test
    void refusesANameThatCannotBeAPath() {
        refuses(
                LEAST + "testDuration: 10s\npayloadFile: \"a\\0b\"",
                "payloadFile: must be a file that can be read: Nul character not allowed: a\\u0000b, got 'a\\u0000b'");
    }

    /** Users bring files of these forks unchanged. */
    @Test
    void takesTheKeysOfForksThatMeanTheSame() throws Exception {
        for (String key : List.of("sampleRateMillis", "logIntervalMillis")) {
            WorkloadFile file = read(LEAST + "testDuration: 10s\n" + key + ": 1500");
            assertThat(file.workload().samplePeriod()).isEqualTo(Duration.ofMillis(1500));
            assertThat(file.settings()).containsEntry("samplePeriod", "1500ms").doesNotContainKey(key);
        }
        read(LEAST + "testDuration: 10s\nrandomTopicNames: true\nskipCreateTopic: false\nproducerRateList: null\n"
                + "partitionsPerTopicList: []\nexistingTopicList: []\nlogIntervalMillis: null");
    }

    @Test
    void namesOurKeyForThoseOfForksThatMeanSomethingElse() {
        String rates =
                "producerRateList: is a key of an OMB fork; use producerRateSchedule, such as [{rate: 1000, duration:"
                        + " 10m}, {rate: 2000, duration: 10m}]: each rate has a duration, not a time of day";
        refuses(LEAST + "testDuration: 10s\nproducerRateList: [[4, 0, 10240], [4, 30, 204800]]", rates);
        // The key that it stands for is not also reported as missing.
        refuses(LEAST + "producerRateList: [[0, 1000]]", rates);
        refuses(
                LEAST.replace("partitionsPerTopic: 1\n", "") + "testDuration: 10s\npartitionsPerTopicList: [1, 4]",
                "partitionsPerTopicList: is a key of an OMB fork; here all topics of a workload are alike, with"
                        + " partitionsPerTopic and producersPerTopic: write a workload for each kind of topic");
        String period =
                " is a key of an OMB fork for samplePeriod; it must be a whole number of milliseconds from 100 to 3600000,"
                        + " and absent with samplePeriod";
        refuses(LEAST + "testDuration: 10s\nsampleRateMillis: 5", "sampleRateMillis:" + period);
        refuses(LEAST + "testDuration: 10s\nlogIntervalMillis: 1000\nsamplePeriod: 1s", "logIntervalMillis:" + period);
        refuses(
                LEAST + "testDuration: 10s\nrandomTopicNames: false",
                "randomTopicNames: is a key of an OMB fork, which must be true or absent: each run has its own topic"
                        + " names");
        refuses(
                LEAST + "testDuration: 10s\nexistingTopicList: [a]",
                "existingTopicList: is a key of an OMB fork; here existing topics are named in the driver file:"
                        + " existingTopics, see the driver's README");
    }

    /** Only the corrected file shows whether another key is missing. */
    @Test
    void whatStandsInThePlaceOfAWrongKeyIsNotMissing() {
        refuses(LEAST + "producerRateSchedule: 5", "producerRateSchedule: must be a list, got 5");
        refuses(LEAST + "rateSweep: [1]", "rateSweep: must be a mapping of keys to values, got a list");
        refuses(
                LEAST.replace("messageSize: 100\n", "") + "testDuration: 10s\nmessageSizeDistribution: 100",
                "messageSizeDistribution: must be a list, got 100");
    }

    @Test
    void reportsThePayloadTogetherWithTheRest() throws IOException {
        Files.write(home.resolve("a.data"), new byte[99]);

        refuses(
                LEAST.replace("topics: 2", "topics: 0") + "payloadFile: a.data",
                "topics: must be a number from 1 to 1000000, got 0",
                "testDuration: is missing, a run needs testDuration, testDurationMinutes or messageCount",
                "payloadFile: must have 100 bytes (messageSize), has 99; a file of many records needs payloadRecords"
                        + " instead of messageSize, got 'a.data'");
        refuses(
                LEAST.replace("messageSize: 100", "messageSize: x") + "testDuration: 10s\npayloadFile: a.data",
                "messageSize: must be a whole number, got 'x'");
    }

    private Optional<Path> payloadOf(String yaml) throws ConfigException, IOException {
        return read(yaml).payload().map(PayloadFile::path);
    }

    private WorkloadFile read(String yaml) throws ConfigException, IOException {
        Path file = Files.writeString(workloads.resolve("some.workload.yaml"), yaml);
        return WorkloadFile.read(file, home);
    }

    private void refuses(String yaml, String... messages) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(yaml))
                .withMessage(Stream.of(messages)
                        .map(message -> workloads.resolve("some.workload.yaml") + ": " + message)
                        .collect(Collectors.joining("\n")));
    }
}
