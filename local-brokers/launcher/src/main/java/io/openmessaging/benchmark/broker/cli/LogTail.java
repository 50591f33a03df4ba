package io.openmessaging.benchmark.broker.cli;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads a log that may still grow. */
final class LogTail implements AutoCloseable {

    private final Reader reader;
    private final String prefix;
    private String unfinishedLine = "";

    private LogTail(Reader reader, String prefix) {
        this.reader = reader;
        this.prefix = prefix;
    }

    /** Opens a log at its start; each printed line gets the prefix. */
    static LogTail open(Path log, String prefix) throws IOException {
        return new LogTail(new InputStreamReader(Files.newInputStream(log), StandardCharsets.UTF_8), prefix);
    }

    /** Prints the lines completed since the last call, at most the last {@code mostLines} of them. */
    void printNew(PrintWriter out, int mostLines) throws IOException {
        StringWriter text = new StringWriter().append(unfinishedLine);
        reader.transferTo(text);
        int end = text.getBuffer().lastIndexOf("\n") + 1;
        unfinishedLine = text.getBuffer().substring(end);
        List<String> lines = text.getBuffer().substring(0, end).lines().toList();
        lines.stream().skip(Math.max(0, lines.size() - (long) mostLines)).forEach(line -> out.println(prefix + line));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
