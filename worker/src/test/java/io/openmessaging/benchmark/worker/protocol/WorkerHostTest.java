package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerHostTest {

    private static final WorkerHost W1 = new WorkerHost("1", "w1.lab", List.of("10.0.0.1", "fe80::1"), "", 0);

    @ParameterizedTest
    @CsvSource({
        "w1.lab, true",
        "W1.Lab:9092, true",
        "w1, true",
        "w1:9092, true",
        "w1.lab.example.com, true",
        "10.0.0.1, true",
        "10.0.0.1:5672, true",
        "fe80::1, true",
        "[fe80::1]:6379, true",
        "w11.lab, false",
        "w2.lab:9092, false",
        "lab, false",
        "10.0.0.11, false",
        "localhost:9092, false",
        "'', false",
    })
    void isAtItsNamesAndNumbers(String address, boolean expected) {
        assertThat(W1.isAt(address)).isEqualTo(expected);
    }

    @Test
    void itsNameIsTheKernelsWithoutALookupOrElseTheOneThatCannotBeResolved(@TempDir Path folder) throws Exception {
        Path kernels = Files.writeString(folder.resolve("hostname"), "w7\n");
        WorkerHost.Lookup unresolved = () -> {
            throw new UnknownHostException("w7: w7: Name or service not known");
        };
        Path none = folder.resolve("of-another-system");
        assertThat(WorkerHost.ownName(() -> "looked-up", kernels)).isEqualTo("w7");
        assertThat(WorkerHost.ownName(() -> "looked-up", none)).isEqualTo("looked-up");
        assertThat(WorkerHost.ownName(unresolved, none)).isEqualTo("w7");
    }

    @Test
    void allProcessesOfAMachineAreAtTheSame() {
        assertThat(WorkerHost.here()).isEqualTo(WorkerHost.here());
        assertThat(WorkerHost.here().id()).isNotBlank();
        assertThat(WorkerHost.here().isAt(WorkerHost.here().name())).isTrue();
    }
}
