package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.cli.TestInstallation.Outcome;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.omb.OmbFixture;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs with a driver that was built for OMB. */
class OmbDriverRunTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestInstallation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new TestInstallation(folder);
        OmbFixture.install(folder.resolve("distribution/drivers/omb"), Generation.WITH_LISTS);
    }

    @AfterEach
    void putBack() {
        installation.close();
    }

    private String driver(String... keys) throws IOException {
        return installation.file(
                "driver.yaml", "name: Queue\ndriverClass: " + OmbFixture.DRIVER, String.join("\n", keys));
    }

    private static String size(int bytes) {
        return TestInstallation.WORKLOAD.replace("messageSize: 100", "messageSize: " + bytes);
    }

    @Test
    void aRunIsMeasuredAndAuditedAndSaysWhatIsNotKnown() throws Exception {
        Outcome outcome = installation.run(
                "-d",
                driver(),
                installation.file("w.yaml", size(100).replace("partitionsPerTopic: 1", "partitionsPerTopic: 3")));
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        JsonNode result = installation.result();
        JsonNode subscription = result.path("audit").path("subscriptions").path(0);
        assertThat(subscription.path("received").asLong()).isEqualTo(200);
        assertThat(subscription.path("lost").asLong(-1)).isZero();
        assertThat(result.path("broker").path("product").asString()).isEqualTo("Queue");
        assertThat(result.path("broker").path("guarantee").isNull()).isTrue();
        assertThat(result.path("broker")
                        .path("settings")
                        .path("SHA-256 of queue.jar")
                        .asString())
                .hasSize(64);
        assertThat(findings(result)).contains("OrderNotJudged");
        assertThat(result.path("audit").path("outOfOrder").isNull()).isTrue();
        assertThat(subscription.path("outOfOrder").isNull()).isTrue();
    }

    private static List<String> findings(JsonNode result) {
        return result.path("findings")
                .valueStream()
                .map(finding -> finding.path("kind").asString())
                .toList();
    }

    @Test
    void aDriverThatOverwritesMessagesIsToldWhatToSet() throws Exception {
        String workload = installation.file("w.yaml", size(100));
        Outcome outcome = installation.run("-d", driver("habit: overwrites"), workload);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err())
                .contains("the driver overwrites the start of each message")
                .contains("add omb: {scratchBytes: 8} to the driver file");
    }

    @Test
    void withScratchBytesSuchADriverLosesNothing() throws Exception {
        String workload = installation.file("w.yaml", size(40));
        Outcome outcome = installation.run("-d", driver("habit: overwrites", "omb: {scratchBytes: 8}"), workload);
        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        JsonNode result = installation.result();
        assertThat(result.path("headerLayout").asString()).isEqualTo("FULL");
        assertThat(result.path("audit").path("lost").asLong(-1)).isZero();
        assertThat(result.path("audit")
                        .path("subscriptions")
                        .path(0)
                        .path("received")
                        .asLong())
                .isEqualTo(200);
    }

    @Test
    void messagesWithoutRoomForHeaderAndScratchBytesAreRefused() throws Exception {
        String workload = installation.file("w.yaml", size(39));
        Outcome outcome = installation.run("-d", driver("omb: {scratchBytes: 8}"), workload);
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(outcome.err())
                .contains("messageSize: must be at least 40 with Queue")
                .contains("overwrites the first 8 bytes")
                .endsWith("got 39\n");
    }

    @Test
    void payloadsCannotBeVerifiedWithScratchBytes() throws Exception {
        String workload = installation.file("w.yaml", size(100) + "verifyPayloads: true");
        Outcome outcome = installation.run("-d", driver("omb: {scratchBytes: 8}"), workload);
        assertThat(outcome.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(outcome.err()).contains("verifyPayloads: cannot be used with Queue");
    }

    @Test
    void aDriverThatThrowsEndsTheRunWithItsReason() throws Exception {
        String workload = installation.file("w.yaml", size(100));
        Outcome outcome = installation.run("-d", driver("throwIn: createTopic"), workload);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err())
                .contains("Could not create 1 topic: IllegalStateException: no createTopic today");
    }
}
