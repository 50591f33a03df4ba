package io.openmessaging.benchmark.suite;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Shell scripts that replace real programs in tests. */
public final class TestProgram {

    private TestProgram() {}

    /**
     * Writes a script that can be executed at once. Another process writes it: a process that a concurrent test starts
     * inherits all files that this process has open for writing, until its own program starts, and Linux does not
     * execute a file that is open for writing ("Text file busy").
     *
     * @param script without its first line, {@code #!/bin/sh}
     */
    public static void write(Path file, String script) throws IOException {
        Process writer = new ProcessBuilder("/bin/sh", "-c", "cat >\"$0\" && chmod +x \"$0\"", file.toString())
                .redirectErrorStream(true)
                .start();
        try (Writer content = writer.outputWriter(StandardCharsets.UTF_8)) {
            content.write("#!/bin/sh\n" + script);
        }
        try {
            if (Patience.exitCode("the writer of " + file, writer) != 0) {
                throw new IOException("cannot write " + file + ": "
                        + new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
