package io.openmessaging.benchmark.cli.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Lets each warning into the log a limited number of times in a period. Clients may warn for every message that they send
 * again: Pulsar's wrote 70 MB in a minute while a disk was full. Any thread may ask.
 */
final class FloodFilter extends Filter<ILoggingEvent> {

    /** So many lines of one logger and one pattern show what happens; more hide what else does. */
    static final int IN_A_PERIOD = 100;

    private static final long PERIOD_MS = TimeUnit.MINUTES.toMillis(1);

    /** Some libraries make a pattern of its own for each event; then all are forgotten now and then. */
    private static final int MAX_SOURCES = 10_000;

    /** By logger and pattern, of which a program has as many as it has log statements. */
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
