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
 * Where clients and the harness log. The console belongs to the run's progress and summary; and a command that refuses
 * its arguments leaves no file behind, which is why the file is opened by {@link #open} and not by a configuration file.
 */
public final class LogFile {

    private static final String PATTERN = "%d{HH:mm:ss.SSS} %-5level [%thread] %logger{36} - %msg%n";

    private LogFile() {}

    /** Nothing is logged until {@link #open}. Called before the first class that logs is loaded. */
    public static void silence() {
        root().detachAndStopAllAppenders();
    }

    /** From now on, warnings go to the file, and of the harness also what it does. */
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
        // At INFO, clients describe their whole configuration, for each producer and consumer.
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
