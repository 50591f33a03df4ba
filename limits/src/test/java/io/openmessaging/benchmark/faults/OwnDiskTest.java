package io.openmessaging.benchmark.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests on the loop devices of this machine, where they may be used. */
@StartsProcesses
class OwnDiskTest {

    private static final long SIZE_BYTES = 64 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Path data;

    @BeforeEach
    void begin() {
        Optional<String> lack = FaultTools.ofThisMachine().whyNoDisk();
        assumeTrue(lack.isEmpty(), lack.orElse(""));
        data = folder.resolve("data");
    }

    /** Starts a node that reports when it runs and then executes the lines that it reads. */
    private Process start(OwnDisk disk) throws IOException {
        Process process = new ProcessBuilder(disk.command(
                        List.of("/bin/sh", "-c", "echo runs; while read -r line; do eval \"$line\"; done")))
                .redirectErrorStream(true)
                .start();
        assertThat(line(process)).isEqualTo("runs");
        return process;
    }

    private static String line(Process process) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = process.getInputStream().read();
                next > '\n';
                next = process.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private String tell(Process process, String command) throws IOException {
        process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        return line(process);
    }

    private String write(Process node, String file) throws IOException {
        return tell(node, "head -c 100000 /dev/zero 2>/dev/null >" + data.resolve(file) + " && echo yes || echo no");
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        Patience.exitCode("a node that was killed", process);
    }

    @Test
    void aFullDiskRefusesTheNodeAndNobodyElse() throws Exception {
        OwnDisk disk = OwnDisk.of(data, folder.resolve("image"), SIZE_BYTES);
        Process node = start(disk);
        try {
            assertThat(write(node, "before")).isEqualTo("yes");
            assertThat(data.resolve("before")).doesNotExist();
            disk.fill(node.pid());
            assertThat(write(node, "while")).isEqualTo("no");
            Files.writeString(folder.resolve("elsewhere"), "there is room");
            disk.free(node.pid());
            assertThat(write(node, "after")).isEqualTo("yes");
        } finally {
            kill(node);
        }
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(folder.toString());
    }

    @Test
    void aLinkOnTheWayToTheDataDoesNotLeadToTheDiskOfTheMachine() throws Exception {
        Path real = Files.createDirectory(folder.resolve("real"));
        data = Files.createSymbolicLink(folder.resolve("link"), real).resolve("data");
        OwnDisk disk = OwnDisk.of(data, folder.resolve("image"), SIZE_BYTES);
        Process node = start(disk);
        try {
            disk.fill(node.pid());
            assertThat(write(node, "while")).isEqualTo("no");
            assertThat(real.resolve("data")).isEmptyDirectory();
        } finally {
            kill(node);
        }
    }

    @Test
    void theImageTakesWhatIsWrittenAndNoMore() throws Exception {
        OwnDisk disk = OwnDisk.of(data, folder.resolve("image"), 1L << 30);
        Process node = start(disk);
        try {
            disk.fill(node.pid());
            String blocks = Programs.run(
                    List.of("stat", "-c", "%b", folder.resolve("image").toString()), "");
            assertThat(Long.parseLong(blocks.strip()) * 512).isLessThan(64 << 20);
        } finally {
            kill(node);
        }
    }

    @Test
    void aNodeThatWasKilledFindsItsDataAgainAndRoom() throws Exception {
        OwnDisk disk = OwnDisk.of(data, folder.resolve("image"), SIZE_BYTES);
        Process node = start(disk);
        assertThat(tell(node, "echo kept >" + data.resolve("file") + "; echo done"))
                .isEqualTo("done");
        disk.fill(node.pid());
        kill(node);
        Process again = start(disk);
        try {
            assertThat(tell(again, "cat " + data.resolve("file"))).isEqualTo("kept");
            assertThat(write(again, "more")).isEqualTo("yes");
        } finally {
            kill(again);
        }
    }

    @Test
    void dataThatAreThereAlreadyAreNotHidden() throws Exception {
        Files.createDirectory(data);
        Files.writeString(data.resolve("file"), "of before");
        assertThatThrownBy(() -> OwnDisk.of(data, folder.resolve("image"), SIZE_BYTES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("already contains data");
    }
}
