package io.openmessaging.benchmark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FloodFilterTest {

    private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

    private final FloodFilter filter = new FloodFilter();

    private boolean lets(String logger, String pattern, Object argument, Instant at) {
        LoggingEvent event = new LoggingEvent();
        event.setLoggerName(logger);
        event.setMessage(pattern);
        event.setArgumentArray(new Object[] {argument});
        event.setInstant(at);
        return filter.decide(event) != FilterReply.DENY;
    }

    private long let(int events, String logger, Instant at) {
        return IntStream.range(0, events)
                .filter(i -> lets(logger, "could not send {}", i, at))
                .count();
    }

    @Test
    void oneWarningIsWrittenALimitedNumberOfTimesInAMinute() {
        assertThat(let(1000, "client", NOON)).isEqualTo(FloodFilter.IN_A_PERIOD);
        assertThat(let(1, "client", NOON.plusSeconds(59))).isZero();
        assertThat(let(1000, "client", NOON.plusSeconds(60))).isEqualTo(FloodFilter.IN_A_PERIOD);
    }

    @Test
    void patternsThatDoNotRepeatAreAllWritten() {
        assertThat(IntStream.range(0, 30_000).allMatch(i -> lets("client", "could not send " + i, "", NOON)))
                .isTrue();
    }

    @Test
    void othersAreWrittenMeanwhile() {
        let(1000, "client", NOON);

        assertThat(lets("client", "the connection is back", "", NOON)).isTrue();
        assertThat(lets("other client", "could not send {}", 1, NOON)).isTrue();
    }
}
