package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The audit reports exactly what a broker did to the messages, whatever their size and number. */
class AuditIT extends WithBenchmark {

    private Benchmark.Outcome run(String faults, int messageSize, int subscriptions, long messageCount)
            throws IOException, InterruptedException {
        return run(faults, messageSize, subscriptions, messageCount, "");
    }

    private Benchmark.Outcome run(
            String faults, int messageSize, int subscriptions, long messageCount, String moreOfWorkload)
            throws IOException, InterruptedException {
        Path driver = benchmark.file("driver.yaml", """
                name: faulty
                driverClass: io.openmessaging.benchmark.driver.inmemory.InMemoryBenchmarkDriver
                faults:
                  onlyPayloadBytes: %d
                """.formatted(messageSize) + faults.indent(2));
        Path workload = benchmark.file(
                "workload.yaml", """
                topics: 1
                partitionsPerTopic: 1
                messageSize: %d
                subscriptionsPerTopic: %d
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: unlimited
                warmupDuration: 0s
                messageCount: %d
                """.formatted(messageSize, subscriptions, messageCount) + moreOfWorkload);
        return benchmark.runInProcess("--drivers", driver.toString(), workload.toString());
    }

    private JsonNode result() throws IOException {
        return benchmark.result();
    }

    private JsonNode subscription(int index) throws IOException {
        return result().path("audit").path("subscriptions").path(index);
    }

    @Test
    void everyMessageArrivesOnceAndInOrder() throws Exception {
        Benchmark.Outcome outcome = run("lose: []", 100, 1, 100_000);

        benchmark.assertRan(outcome);
        assertThat(subscription(0).path("expected").asLong()).isEqualTo(100_000);
        assertThat(subscription(0).path("received").asLong()).isEqualTo(100_000);
        assertThat(result().path("audit").path("lost").asLong(-1)).isZero();
        assertThat(result().path("audit").path("duplicated").asLong(-1)).isZero();
        assertThat(result().path("audit").path("outOfOrder").asLong(-1)).isZero();
    }

    @Test
    void givenMessagesAreNamed() throws Exception {
        Benchmark.Outcome outcome = run("""
                lose: [17, 18, 4711]
                duplicate: [5, 90000]
                swap: [100, 2000, 70000, 99000]
                """, 100, 2, 100_000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(result().path("verdict").asString()).isEqualTo("INVALID");
        for (int i = 0; i < 2; i++) {
            assertThat(subscription(i).path("expected").asLong()).isEqualTo(100_000);
            assertThat(subscription(i).path("lost").asLong()).isEqualTo(3);
            assertThat(subscription(i).path("duplicated").asLong()).isEqualTo(2);
            assertThat(subscription(i).path("outOfOrder").asLong()).isEqualTo(4);
            assertThat(subscription(i).path("received").asLong()).isEqualTo(100_000 - 3 + 2);
            assertThat(subscription(i).path("firstLost").toString())
                    .isEqualTo("[\"producer 0: 17..18\",\"producer 0: 4711\"]");
        }
        assertThat(outcome.out()).contains("messages lost: 3 of 100,000").doesNotContain("\tat ");
    }

    @Test
    @LongSuite("three million messages")
    void oneInAMillionIsFound() throws Exception {
        Benchmark.Outcome outcome = run("""
                loseEvery: 1000000
                duplicate: [1500000]
                swap: [2500000]
                """, 100, 1, 3_000_000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(subscription(0).path("lost").asLong()).isEqualTo(3);
        assertThat(subscription(0).path("duplicated").asLong()).isEqualTo(1);
        assertThat(subscription(0).path("outOfOrder").asLong()).isEqualTo(1);
    }

    @Test
    void damagedMessagesAreCountedWhenPayloadsAreVerified() throws Exception {
        Benchmark.Outcome outcome =
                run("damage: [17, 4711]\ndamageEvery: 50000", 100, 2, 100_000, "verifyPayloads: true\n");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(result().path("verdict").asString()).isEqualTo("INVALID");
        assertThat(result().path("audit").path("damaged").asLong()).isEqualTo(8);
        for (int i = 0; i < 2; i++) {
            assertThat(subscription(i).path("damaged").asLong()).isEqualTo(4);
            assertThat(subscription(i).path("received").asLong()).isEqualTo(100_000);
            assertThat(subscription(i).path("lost").asLong(-1)).isZero();
        }
        assertThat(outcome.out()).contains("messages damaged: 4 arrived at subscription 0");
    }

    @Test
    void withoutThatNobodyKnowsOfDamage() throws Exception {
        Benchmark.Outcome outcome = run("damage: [17, 4711]", 100, 1, 100_000);

        benchmark.assertRan(outcome);
        assertThat(subscription(0).path("damaged").isNull()).isTrue();
    }

    @Test
    void tenByteMessagesAreTimedAndAudited() throws Exception {
        Benchmark.Outcome outcome = run("lose: [50000]\nduplicate: [20]\nswap: [30]", 10, 1, 100_000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(subscription(0).path("lost").asLong()).isEqualTo(1);
        assertThat(subscription(0).path("duplicated").asLong()).isEqualTo(1);
        assertThat(subscription(0).path("outOfOrder").asLong()).isEqualTo(1);
        // 99,999 messages arrived, one of them twice.
        assertThat(result().path("latencies").path("endToEnd").path("count").asLong())
                .isEqualTo(100_000);
        assertThat(result().path("latencies").path("publish").path("count").asLong())
                .isEqualTo(100_000);
    }

    /** As many messages arrive twice as are lost, so their count is right. */
    @Test
    void nineByteMessagesAreAudited() throws Exception {
        Benchmark.Outcome outcome = run("loseEvery: 20\nduplicateEvery: 19", 9, 1, 10_000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(subscription(0).path("lost").asLong()).isEqualTo(500);
        // Every 380th message would have arrived twice but is lost.
        assertThat(subscription(0).path("duplicated").asLong()).isBetween(490L, 530L);
        assertThat(result().path("latencies").path("endToEnd").isNull()).isTrue();
        assertThat(result().path("aggregatedEndToEndLatency99pct").isNull()).isTrue();
    }

    @Test
    void messagesTooSmallForAHeaderRunWithoutAudit() throws Exception {
        Benchmark.Outcome outcome = run("lose: []", 4, 1, 10_000);

        benchmark.assertRan(outcome);
        assertThat(outcome.out()).contains(", not audited");
        assertThat(result().path("audit").isNull()).isTrue();
        assertThat(result().path("auditOff").asString()).contains("4 bytes");
        assertThat(result().path("findings").toString()).contains("the audit is off");
    }

    @ParameterizedTest
    @CsvSource({"lose: [17], MessagesLost", "duplicate: [17], MoreThanSent"})
    void whatTheCountOfTheSmallestMessagesTellsIsToldWithoutAudit(String faults, String kind) throws Exception {
        Benchmark.Outcome outcome = run(faults, 4, 1, 10_000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.out()).contains("INVALID, not audited");
        assertThat(result().path("findings").toString()).contains(kind);
    }

    @Test
    void refusedMessagesAreNotLostButMakeTheRunInvalid() throws Exception {
        Benchmark.Outcome outcome = run("fail: [3, 9]", 100, 1, 1000);

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(result().path("audit").path("failed").asLong()).isEqualTo(2);
        assertThat(subscription(0).path("expected").asLong()).isEqualTo(998);
        assertThat(subscription(0).path("lost").asLong(-1)).isZero();
        assertThat(result().path("findings").toString()).contains("2 messages could not be published");
    }
}
