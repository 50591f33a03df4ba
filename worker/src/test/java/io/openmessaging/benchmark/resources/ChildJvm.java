package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that runs {@link BusyProcess} as a child of a shell: resources used by a broker's child count for the broker.
 */
final class ChildJvm implements AutoCloseable {

    private final Process shell;
    private final BufferedWriter in;
    private final BufferedReader out;

    private ChildJvm(Process shell) {
        this.shell = shell;
        this.in = new BufferedWriter(new OutputStreamWriter(shell.getOutputStream(), StandardCharsets.UTF_8));
        this.out = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
    }

    static ChildJvm start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\"; exit 0", "sh"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BusyProcess.class.getName()));
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns the process id of the shell. */
    long pid() {
        return shell.pid();
    }

    /** Sends a line and waits for the answer; only the test's own time limit ends the wait. */
    String ask(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
        String answer = out.readLine();
        assertThat(answer).as("answer to %s", line).isNotNull();
        return answer;
    }

    /** Closes the child's input and returns when the child has ended. */
    @Override
    public void close() throws IOException {
        in.close();
        shell.onExit().join();
    }
}
