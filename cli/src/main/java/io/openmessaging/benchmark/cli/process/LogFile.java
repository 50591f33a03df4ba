package io.openmessaging.benchmark.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
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
        LoggerContext context = context();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setFile(file.toString());
        appender.addFilter(new FloodFilter());
        appender.start();
        // At INFO, clients log their whole configuration for each producer and consumer.
        root().setLevel(Level.WARN);
        context.getLogger("io.openmessaging.benchmark").setLevel(Level.INFO);
        root().addAppender(appender);
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    private static ch.qos.logback.classic.Logger root() {
        return context().getLogger(Logger.ROOT_LOGGER_NAME);
    }
}
