package io.openmessaging.benchmark.broker.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a log that may still grow. */
final class LogTail implements AutoCloseable {

    private static final int BUFFER_CHARS = 8192;

    private final Reader reader;
    private final String prefix;
    private final StringBuilder unfinishedLine = new StringBuilder();
    private List<String> pending;

    private LogTail(Reader reader, String prefix) {
        this.reader = reader;
        this.prefix = prefix;
        this.pending = new ArrayList<>();
    }

    /** Positions at the last lines; each line will be printed behind the prefix. */
    static LogTail open(Path log, int lines, String prefix) throws IOException {
        LogTail tail =
                new LogTail(new InputStreamReader(new FileInputStream(log.toFile()), StandardCharsets.UTF_8), prefix);
        tail.readLines();
        int skipped = Math.max(0, tail.pending.size() - lines);
        tail.pending = new ArrayList<>(tail.pending.subList(skipped, tail.pending.size()));
        return tail;
    }

    /** Prints the lines finished since the last call. */
    void printNew(PrintWriter out) throws IOException {
        readLines();
        pending.forEach(line -> out.println(prefix + line));
        pending.clear();
    }

    private void readLines() throws IOException {
        char[] buffer = new char[BUFFER_CHARS];
        for (int count = reader.read(buffer); count > 0; count = reader.read(buffer)) {
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    pending.add(unfinishedLine.toString());
                    unfinishedLine.setLength(0);
                } else {
                    unfinishedLine.append(buffer[i]);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
