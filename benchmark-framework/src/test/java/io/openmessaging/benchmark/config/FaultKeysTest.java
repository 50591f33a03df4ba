package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.load.MessageProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the keys for faults and message headers. */
class FaultKeysTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Workload read(String... lines) throws ConfigException, IOException {
        Map<String, String> keys = new LinkedHashMap<>();
        String least = "topics: 1|partitionsPerTopic: 1|messageSize: 100|subscriptionsPerTopic: 1"
                + "|consumerPerSubscription: 1|producersPerTopic: 1|producerRate: 1000|testDuration: 10s";
        Stream.concat(Stream.of(least.split("\\|")), Stream.of(lines)).forEach(line -> {
            int colon = line.indexOf(':');
            keys.put(line.substring(0, colon), line.substring(colon));
        });
        String yaml = keys.entrySet().stream()
                .map(entry -> entry.getKey() + entry.getValue() + "\n")
                .collect(Collectors.joining());
        return WorkloadFile.read(Files.writeString(folder.resolve("load.yaml"), yaml), folder)
                .workload();
    }

    private void refuses(String part, String... lines) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> read(lines))
                .withMessageContaining(part);
    }

    @Test
    void faultsHaveATimeALengthAndOneThingThatIsDone() throws Exception {
        Workload workload =
                read("faults: [{at: 1s, kill: leader, for: 2s}, {at: 3s, run: 'true', undo: 'true', for: 1s}]");
        assertThat(workload.faultsInOrder()).extracting(Fault::kind).containsExactly(Fault.Type.KILL, Fault.Type.RUN);
        assertThat(workload.faultsInOrder().get(0).end()).isEqualTo(Duration.ofSeconds(3));
        refuses("faults[0].at: is missing, a fault needs a time", "faults: [{kill: all, for: 1s}]");
        refuses("faults[0].for: is missing, a fault needs a length", "faults: [{at: 1s, kill: all}]");
        refuses(
                "faults[0].kill: is missing, a fault needs one of kill, stop, pause, isolate, delay, fill-disk and run",
                "faults: [{at: 1s, for: 1s}]");
        refuses("faults[0].pause: must be absent with kill", "faults: [{at: 1s, kill: all, pause: all, for: 1s}]");
        refuses("must be node-1, node-2 and so on, leader, follower", "faults: [{at: 1s, stop: node-0, for: 1s}]");
        refuses(
                "faults[0].undo: is missing, a fault with run needs the command",
                "faults: [{at: 1s, run: 'true', for: 1s}]");
    }

    @Test
    void networkAndDiskOfNodesHaveKeysOfTheirOwn() throws Exception {
        Workload cut =
                read("faults: [{at: 1s, isolate: node-1, for: 1s}, {at: 3s, fill-disk: all, size: 512m, for: 1s}]");
        assertThat(cut.faultsInOrder())
                .extracting(Fault::kind)
                .containsExactly(Fault.Type.ISOLATE, Fault.Type.FILL_DISK);
        assertThat(cut.faultsInOrder().get(1).diskBytes()).isEqualTo(512 << 20);
        Fault delay = read("faults: [{at: 1s, delay: leader, by: 50ms, for: 1s}]")
                .faultsInOrder()
                .get(0);
        assertThat(delay.kind()).isEqualTo(Fault.Type.DELAY);
        assertThat(delay.target()).isEqualTo("leader");
        assertThat(delay.delayBy()).isEqualTo(Duration.ofMillis(50));
        refuses("faults[0].isolate: must be node-1, node-2", "faults: [{at: 1s, isolate: kafka-1, for: 1s}]");
        refuses("faults[0].by: is missing, a fault with delay needs a time", "faults: [{at: 1s, delay: all, for: 1s}]");
        refuses("faults[0].by: must be", "faults: [{at: 1s, delay: all, by: 1m, for: 1s}]");
        refuses("faults[0].by: needs delay", "faults: [{at: 1s, isolate: all, by: 50ms, for: 1s}]");
        refuses("faults[0].size: needs fill-disk", "faults: [{at: 1s, kill: all, size: 1g, for: 1s}]");
        refuses(
                "faults[0].size: must be a size such as 512m or 2g, from 64m to 1t",
                "faults: [{at: 1s, fill-disk: all, size: 1m, for: 1s}]");
        refuses(
                "faults[0].fill-disk: must be absent with isolate",
                "faults: [{at: 1s, isolate: all, fill-disk: all, for: 1s}]");
        refuses("did you mean 'fill-disk'", "faults: [{at: 1s, fill_disk: all, for: 1s}]");
    }

    @Test
    void aWorkerIsPausedOrKilledForGood() throws Exception {
        Workload workload = read(
                "faults: [{at: 1s, pause: worker-1, for: 1s}, {at: 3s, kill: worker-2}, {at: 4s, kill: all, for: 1s}]");
        assertThat(workload.faultsInOrder())
                .extracting(fault -> fault.worker().orElse(0))
                .containsExactly(1, 2, 0);
        assertThat(workload.faultsInOrder()).extracting(Fault::endsWorker).containsExactly(false, true, false);
        assertThat(workload.faultsInOrder().get(1).end()).isEqualTo(Duration.ofSeconds(3));
        read("faults: [{at: 1s, kill: worker-1}, {at: 3s, delay: all, by: 1ms, for: 1s}]");
        assertThat(read("faults: [{at: 1s, run: worker-1, undo: 'true', for: 1s}]")
                        .faultsInOrder()
                        .get(0)
                        .worker())
                .as("a command of that name")
                .isEmpty();
        refuses("faults[0].for: must be absent when a worker is killed", "faults: [{at: 1s, kill: worker-1, for: 2s}]");
        refuses("faults[0].for: is missing", "faults: [{at: 1s, pause: worker-1}]");
        refuses(
                "faults[0].stop: must be node-1, node-2 and so on, leader, follower, minority or all, got",
                "faults: [{at: 1s, stop: worker-1, for: 1s}]");
        refuses("or worker-1, worker-2 and so on", "faults: [{at: 1s, kill: worker-0, for: 1s}]");
        refuses(
                "faults[1].pause: must be another worker: an earlier fault kills this one",
                "faults: [{at: 1s, kill: worker-2}, {at: 3s, pause: worker-2, for: 1s}]");
        refuses("must end within the measurement", "faults: [{at: 10s, kill: worker-2}]");
    }

    @Test
    void delaysHaveAWorkloadOfTheirOwn() throws Exception {
        read("faults: [{at: 1s, delay: all, by: 1ms, for: 1s}, {at: 3s, run: 'true', undo: 'true', for: 1s}]");
        refuses(
                "faults[1].kill: must be absent with delay, which routes connections through a relay",
                "faults: [{at: 1s, delay: all, by: 1ms, for: 1s}, {at: 3s, kill: all, for: 1s}]");
    }

    @Test
    void faultsComeOneAfterTheOtherWithinAMeasurementOfOneRate() throws Exception {
        refuses(
                "faults[1].at: must be when the previous fault has ended, at 3s or later",
                "faults: [{at: 1s, kill: all, for: 2s}, {at: 2s, kill: all, for: 1s}]");
        refuses("must end within the measurement", "testDuration: 10s", "faults: [{at: 8s, kill: all, for: 3s}]");
        refuses(
                "faults: needs a producerRate of at least 10 messages a second",
                "producerRate: unlimited",
                "faults: [{at: 1s, kill: all, for: 1s}]");
        refuses(
                "faults: needs messages of at least 32 bytes",
                "messageSize: 10",
                "faults: [{at: 1s, kill: all, for: 1s}]");
        refuses(
                "faults: must be absent with messageCount",
                "messageCount: 100",
                "faults: [{at: 1s, kill: all, for: 1s}]");
        refuses("faults: must have at least one fault", "faults: []");
    }

    @Test
    void whatFaultsMayDoIsPartOfTheSlo() throws Exception {
        Workload workload = read(
                "slo: {acknowledgedLost: 0, downSeconds: 10s, endToEndLatency99pct: 1s}",
                "faults: [{at: 1s, kill: all, for: 1s}]");
        assertThat(workload.faultBounds())
                .isEqualTo(new FaultBounds(OptionalLong.of(0), Optional.of(Duration.ofSeconds(10))));
        assertThat(workload.sloBounds()).hasSize(1);
        refuses("slo.downSeconds: needs faults", "slo: {downSeconds: 10s}");
        refuses(
                "slo.acknowledgedLost: must be a number of messages, from 0",
                "slo: {acknowledgedLost: none}",
                "faults: [{at: 1s, kill: all, for: 1s}]");
    }

    @Test
    void headersHaveANumberAndALength() throws Exception {
        assertThat(read().headers()).isNull();
        assertThat(read("headers: {count: 3, bytes: 100}").headers()).isEqualTo(new MessageProperties(3, 100));
        assertThat(read("headers: {count: 3}").headers()).isEqualTo(new MessageProperties(3, 16));
        refuses("headers.count: must be a number from 1 to 1000", "headers: {count: 0}");
    }
}
