package io.openmessaging.benchmark.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.WorkersFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.remote.WorkerTimeout;
import io.openmessaging.benchmark.worker.remote.WorkerTimeouts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class WorkerOptionsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Optional<FleetRequest> request(String arguments) throws FleetException, ConfigException {
        WorkerOptions options = new WorkerOptions();
        CommandLine command = new CommandLine(
                        CommandLine.Model.CommandSpec.create().addMixin("workers", spec(options)))
                .setCaseInsensitiveEnumValuesAllowed(true);
        command.parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        return options.request(folder);
    }

    private static CommandLine.Model.CommandSpec spec(WorkerOptions options) {
        return CommandLine.Model.CommandSpec.forAnnotatedObject(options);
    }

    @Test
    void withoutWorkersTheLoadComesFromThisProcess() throws Exception {
        assertThat(request("")).isEmpty();
        assertThat(request("--extra")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', MIXED, all send and receive",
        "--roles mixed, MIXED, all send and receive",
        "--roles SPLIT, SPLIT, 'the first 1 send, 2 receive'",
        "-x, SPLIT_WITH_MORE_CONSUMERS, 'the first 1 send, 2 receive'",
        "--roles split --extra, SPLIT_WITH_MORE_CONSUMERS, 'the first 1 send, 2 receive'"
    })
    void workersHaveRoles(String options, Roles roles, String words) throws Exception {
        FleetRequest asked = request("--workers http://127.0.0.1:1,http://127.0.0.1:2,http://localhost:3 " + options)
                .orElseThrow();
        assertThat(asked.addresses())
                .containsExactly(
                        Address.parse("http://127.0.0.1:1", WorkersFile.WORKER),
                        Address.parse("http://127.0.0.1:2", WorkersFile.WORKER),
                        Address.parse("http://localhost:3", WorkersFile.WORKER));
        assertThat(asked.roles()).isEqualTo(roles);
        assertThat(asked.describe())
                .isEqualTo("http://127.0.0.1:1, http://127.0.0.1:2, http://localhost:3 (" + words + ")");
        assertThat(asked.elsewhere()).isEmpty();
    }

    @Test
    void aFileListsThemAsWell() throws Exception {
        Path file = Files.writeString(folder.resolve("mine.yaml"), "workers: [\"http://127.0.0.1:5\"]\n");
        Files.writeString(folder.resolve("workers.yaml"), "workers: [\"http://127.0.0.1:6\"]\n");

        assertThat(request("-wf " + file).orElseThrow().addresses())
                .containsExactly(Address.parse("http://127.0.0.1:5", WorkersFile.WORKER));
        assertThat(request("").orElseThrow().addresses())
                .containsExactly(Address.parse("http://127.0.0.1:6", WorkersFile.WORKER));
        assertThat(request("-w http://127.0.0.1:7").orElseThrow().addresses())
                .containsExactly(Address.parse("http://127.0.0.1:7", WorkersFile.WORKER));
        assertThat(request("--local-workers 2").orElseThrow().describe())
                .isEqualTo("2 on this machine, started for the runs (all send and receive)");
    }

    @Test
    void workersOnOtherMachinesNeedAKeyOrConsent() throws Exception {
        FleetRequest open = request("--workers http://192.0.2.1:8080,http://127.0.0.1:1 --insecure")
                .orElseThrow();
        assertThat(open.elsewhere()).containsExactly(Address.parse("http://192.0.2.1:8080", WorkersFile.WORKER));
        FleetRequest secured =
                request("--workers https://192.0.2.1:8080 --key bench.key").orElseThrow();
        assertThat(secured.key()).isEqualTo(Path.of("bench.key"));
    }

    @Test
    void workersMayGetMoreOrLessTime() throws Exception {
        WorkerTimeouts timeouts = request("--local-workers 2 --worker-limit prepare=1h --worker-limit LOST=30s")
                .orElseThrow()
                .timeouts();
        assertThat(timeouts.of(WorkerTimeout.PREPARE)).isEqualTo(Duration.ofHours(1));
        assertThat(timeouts.of(WorkerTimeout.LOST)).isEqualTo(Duration.ofSeconds(30));
        assertThat(timeouts.of(WorkerTimeout.STEP)).isEqualTo(WorkerTimeout.STEP.byDefault());
        assertThat(request("--workers http://127.0.0.1:1 --worker-limit suspect=500ms")
                        .orElseThrow()
                        .timeouts()
                        .of(WorkerTimeout.SUSPECT))
                .isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void workersThatAreBusyOrAwayMayBeWaitedFor() throws Exception {
        FleetRequest.Waits byDefault =
                request("--workers http://127.0.0.1:1").orElseThrow().waits();
        assertThat(byDefault.atStart()).isZero();
        assertThat(byDefault.betweenRuns()).isEqualTo(Duration.ofMinutes(1));
        FleetRequest.Waits patient = request("--workers http://127.0.0.1:1 --wait-for-workers 30m")
                .orElseThrow()
                .waits();
        assertThat(patient.atStart()).isEqualTo(Duration.ofMinutes(30));
        assertThat(patient.betweenRuns()).isEqualTo(Duration.ofMinutes(30));
        assertThat(patient.withoutLost()).isFalse();
        assertThat(request("--workers http://127.0.0.1:1 --without-lost")
                        .orElseThrow()
                        .waits()
                        .withoutLost())
                .isTrue();
    }

    @Test
    void eachMayHaveALogOfItsOwn() throws Exception {
        assertThat(request("--local-workers 2").orElseThrow().workerLogs()).isFalse();
        assertThat(request("--local-workers 2 --worker-logs").orElseThrow().workerLogs())
                .isTrue();
        assertThat(request("--workers http://127.0.0.1:1 --worker-logs")
                        .orElseThrow()
                        .workerLogs())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers w1:8080 | --workers[0]: must be an address such as https://10.0.0.1:8080: it does not start"
                        + " with http:// or https://, got 'w1:8080'",
                "--workers http://127.0.0.1:1,http://127.0.0.1:1 | --workers[1]: must occur only once, got"
                        + " 'http://127.0.0.1:1'",
                "--workers http://127.0.0.1:1 --local-workers 2 | --workers and --local-workers: give only one of them",
                "--workers http://127.0.0.1:1 -wf workers.yaml | --workers and --workers-file: give only one of them",
                "--local-workers 0 | --local-workers: must be from 1 to 64, got 0",
                "--local-workers 2 --key k | --key: conflicts with --local-workers, which listen on this machine only",
                "--key k | --key: needs workers (--workers, --workers-file or --local-workers)",
                "--worker-limit lost=20s | --worker-limit: needs workers (--workers, --workers-file or"
                        + " --local-workers)",
                "--local-workers 2 --worker-limit lost=20 | --worker-limit lost: must be a duration such as 500ms,"
                        + " 30s, 5m or 1h30m, above 0, got '20'",
                "--local-workers 2 --worker-limit step=0 | --worker-limit step: must be a duration such as 500ms, 30s,"
                        + " 5m or 1h30m, above 0, got '0'",
                "--local-workers 2 --worker-limit lost=2s | --worker-limit: suspect (3s) must not be longer than lost"
                        + " (2s)",
                "--workers http://127.0.0.1:1 --wait-for-workers long | --wait-for-workers: must be a duration such as"
                        + " 500ms, 30s, 5m or 1h30m, got 'long'",
                "--wait-for-workers 30m | --wait-for-workers: needs workers (--workers, --workers-file or"
                        + " --local-workers)",
                "--local-workers 2 --wait-for-workers 30m | --wait-for-workers: conflicts with --local-workers, which"
                        + " are started when they are needed",
                "--local-workers 2 --without-lost | --without-lost: conflicts with --local-workers,"
                        + " which are started when they are needed",
                "--without-lost | --without-lost: needs workers (--workers, --workers-file or" + " --local-workers)",
                "--worker-logs | --worker-logs: needs workers (--workers, --workers-file or --local-workers)",
                "--roles split | --roles: needs workers (--workers, --workers-file or --local-workers)",
                "--workers http://127.0.0.1:1 --roles mixed -x | --extra: conflicts with --roles mixed, where all workers"
                        + " receive",
                "--workers https://127.0.0.1:1 | --workers: https://127.0.0.1:1 needs --key FILE, the key that the"
                        + " worker has as well; bin/benchmark-worker --new-key FILE creates one",
                "--workers http://192.0.2.1:1 | --workers: http://192.0.2.1:1 is on another machine: use https:// and"
                        + " --key, or --insecure in a private network",
                "--workers http://127.0.0.1:1 --key k | --key: has no effect, none of the workers is https://"
            })
    void whatCannotWorkIsRefusedInOneLine(String arguments, String message) {
        assertThatThrownBy(() -> request(arguments))
                .isInstanceOf(FleetException.class)
                .hasMessage("benchmark: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "workers: []", "worker: [http://127.0.0.1:1]"})
    void aFileThatListsNoneIsRefused(String content) throws Exception {
        Files.writeString(folder.resolve("workers.yaml"), content);
        assertThatThrownBy(() -> request(""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("workers.yaml: ");
    }
}
