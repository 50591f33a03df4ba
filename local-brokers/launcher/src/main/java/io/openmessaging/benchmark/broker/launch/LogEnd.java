package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The end of a log file, reduced to the lines that show why the process ended. */
final class LogEnd {

    /** Size of the part that is read, at the end of the log. */
    private static final int READ_BYTES = 64 * 1024;

    private static final int LINES_SHOWN = 8;

    private static final Pattern STACK_FRAME = Pattern.compile("\\s+(at .+|\\.\\.\\. \\d+ more)");

    /** Erlang's report on a process that ended: its state, field by field, after the reason. */
    private static final Pattern ERLANG_REPORT =
            Pattern.compile(".+\\[error] <[\\d.]+>(\\s*| {5,}.+|\\s+(=+|crasher:|neighbours:))");

    private static final Pattern PROBLEM = Pattern.compile("\\b(ERROR|FATAL|SEVERE)\\b|\\[error]|Exception|Error");

    /** A broker that shuts down logs exceptions that are harmless. */
    private static final Pattern HARMLESS =
            Pattern.compile("\\b(TRACE|DEBUG|INFO|WARN|WARNING)\\b|\\[(debug|info|notice|warning)]");

    private LogEnd() {}

    /**
     * Returns all lines of a short log; else the last lines that name a problem, or the last lines if none does. Each
     * is indented; stack frames and similar lines are left out.
     */
    static String cause(Path log) {
        List<String> lines;
        try {
            lines = read(log)
                    .lines()
                    .filter(line -> !line.isBlank()
                            && !STACK_FRAME.matcher(line).matches()
                            && !ERLANG_REPORT.matcher(line).matches())
                    .toList();
        } catch (IOException e) {
            return "  (no log: " + e.getMessage() + ")";
        }
        if (lines.isEmpty()) {
            return "  (the log is empty)";
        }
        if (lines.size() <= LINES_SHOWN) {
            return last(lines);
        }
        List<String> problems =
                lines.stream().filter(LogEnd::namesProblem).distinct().toList();
        return last(problems.isEmpty() ? lines : problems);
    }

    private static boolean namesProblem(String line) {
        return PROBLEM.matcher(line).find() && !HARMLESS.matcher(line).find();
    }

    private static String read(Path log) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long length = file.length();
            file.seek(Math.max(0, length - READ_BYTES));
            byte[] end = new byte[(int) Math.min(length, READ_BYTES)];
            file.readFully(end);
            return new String(end, StandardCharsets.UTF_8);
        }
    }

    private static String last(List<String> lines) {
        return lines.stream()
                .skip(Math.max(0, lines.size() - LINES_SHOWN))
                .map(line -> "  " + line)
                .collect(Collectors.joining("\n"));
    }
}
