package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeProgramTest {

    private static final NativeProgram SHELL =
            new NativeProgram("The Shell", List.of("/usr/bin/env", "GREETING=good morning", "/bin/sh"));

    @Test
    void tellsWhatTheProgramPrintsWithItsEnvironment() throws Exception {
        assertThat(SHELL.print("-c", "echo \"$GREETING\"; echo 1.0 >&2")).isEqualTo("good morning\n1.0");
    }

    @Test
    void aFailureIsOneMessageWithTheProgramsOwnWords() {
        assertThatThrownBy(() -> SHELL.print("-c", "echo 'no library here'; exit 127"))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("The Shell does not run on this machine: /bin/sh ended with exit code 127; it says:\n"
                        + "  no library here");
    }

    @Test
    void aProgramThatIsNotThereIsOneMessage() {
        NativeProgram missing = new NativeProgram("Nothing", List.of("/no/such/program"));

        assertThatThrownBy(() -> missing.print("--version"))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("Nothing does not run on this machine: ")
                .hasMessageContaining("/no/such/program");
    }
}
