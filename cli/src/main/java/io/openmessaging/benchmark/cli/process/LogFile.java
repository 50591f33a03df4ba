package io.openmessaging.benchmark.cli.process;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of clients and the harness. The console shows only the run's progress and summary. A command that refuses its
 * arguments must not create a file, which is why {@link #open} opens it and not a configuration file.
 */
public final class LogFile {

    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{36} - %msg%n";

    private LogFile() {}

    /** Disables logging until {@link #open}. To be called before the first class that logs is loaded. */
    public static void silence() {
        root().detachAndStopAllAppenders();
    }

    /** Starts to log warnings to the file, and for the harness also its actions. */
    public static void open(Path file) {
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setFile(file.toString());
        start(appender);
        // At INFO, clients log their whole configuration for each producer and consumer.
        root().setLevel(Level.WARN);
        context().getLogger("io.openmessaging.benchmark").setLevel(Level.INFO);
        root().addAppender(appender);
    }

    /**
     * Prints the log as well, for a program that reads the output. Loses lines rather than let anybody wait: the reader
     * may be at the other end of a connection that has stalled.
     */
    public static void print() {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        start(console);
        AsyncAppender copy = new AsyncAppender();
        copy.setContext(context());
        copy.setNeverBlock(true);
        // By default, it would lose INFO as soon as its queue is nearly full.
        copy.setDiscardingThreshold(0);
        copy.addAppender(console);
        copy.start();
        root().addAppender(copy);
    }

    /** Ends logging; waits a second at most for what is still to be printed. */
    public static void close() {
        context().stop();
    }

    private static void start(OutputStreamAppender<ILoggingEvent> appender) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context());
        encoder.setPattern(PATTERN);
        encoder.start();
        appender.setContext(context());
        appender.setEncoder(encoder);
        appender.addFilter(new FloodFilter());
        appender.start();
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    private static ch.qos.logback.classic.Logger root() {
        return context().getLogger(Logger.ROOT_LOGGER_NAME);
    }
}
