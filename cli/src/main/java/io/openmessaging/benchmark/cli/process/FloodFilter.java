package io.openmessaging.benchmark.cli.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Limits how often each warning is logged in a period. Clients may warn for every message that they send again:
 * Pulsar's wrote 70 MB in a minute while a disk was full. Thread-safe.
 */
final class FloodFilter extends Filter<ILoggingEvent> {

    /** This many lines of one logger and one pattern show the problem; more would hide other problems. */
    static final int IN_A_PERIOD = 100;

    private static final long PERIOD_MS = TimeUnit.MINUTES.toMillis(1);

    /** Some libraries create a new pattern for each event; the map is then cleared now and then. */
    private static final int MAX_SOURCES = 10_000;

    /** By logger and pattern; a program has one entry per log statement. */
    private final Map<LogSource, FloodWindow> periods = new ConcurrentHashMap<>();

    private record LogSource(String logger, String pattern) {}

    private record FloodWindow(long number, int events) {}

    @Override
    public FilterReply decide(ILoggingEvent event) {
        long number = event.getTimeStamp() / PERIOD_MS;
        LogSource source = new LogSource(event.getLoggerName(), String.valueOf(event.getMessage()));
        FloodWindow period = periods.merge(
                source,
                new FloodWindow(number, 1),
                (last, first) -> last.number() == number ? new FloodWindow(number, last.events() + 1) : first);
        if (periods.size() > MAX_SOURCES) {
            periods.clear();
        }
        return period.events() > IN_A_PERIOD ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
