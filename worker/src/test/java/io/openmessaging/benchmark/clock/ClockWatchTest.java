package io.openmessaging.benchmark.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.clock.ProbeExchange.Stamps;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Tests over real sockets on loopback. Both clocks count the same nanoseconds, so the true offset is known. */
@Order(1)
class ClockWatchTest {

    private static final byte[] KEY = ProbeDatagramTest.key(1);
    private static final byte[] OTHER_KEY = ProbeDatagramTest.key(2);
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long SHORT_SILENCE_NS = 100_000_000;

    private static final ProbeExchange NO_EXCHANGE = new ProbeExchange() {
        @Override
        public String name() {
            return "HTTP";
        }

        @Override
        public Stamps ask() throws IOException {
            throw new IOException("There is no such connection");
        }
    };

    private final EpochClock clock = new EpochClock();
    private final AtomicLong aheadNs = new AtomicLong(7 * SECOND_NS);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closedAtEnd(T each) {
        opened.add(each);
        return each;
    }

    private long workersClock() {
        return clock.getAsLong() + aheadNs.get();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private ProbeResponder responder() throws IOException {
        return closedAtEnd(ProbeResponder.open(loopback(0), this::workersClock));
    }

    private ProbeExchange overHttp(AtomicInteger asked) {
        return new ProbeExchange() {
            @Override
            public String name() {
                return "HTTP";
            }

            @Override
            public Stamps ask() throws IOException {
                if (asked.incrementAndGet() % 10 == 3) {
                    throw new IOException("Connection reset");
                }
                long receivedNs = workersClock();
                return new Stamps(receivedNs, workersClock());
            }
        };
    }

    private static int burst(WatchedClock watched, int probes) throws Exception {
        return Patience.get("the end of the burst", watched.burst(probes));
    }

    /** Repeats a burst until it is answered: a worker that stalls for the whole wait gives no answer. */
    private static void burstUntilAnswered(WatchedClock watched, int probes) throws Exception {
        Patience.until("an answer to a burst", () -> burst(watched, probes) > 0);
    }

    private static void assertRight(WatchedClock watched, long trueAheadNs) {
        Offset told = watched.offset().orElseThrow();
        assertThat(Math.abs(told.aheadNs() - trueAheadNs)).isLessThanOrEqualTo(told.boundNs());
    }

    @Test
    void itFindsOutHowFarAWorkersClockIsAhead() throws Exception {
        ProbeResponder responder = responder();
        responder.answer(KEY);
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        long startNs = clock.getAsLong();
        WatchedClock watched = watch.watch("worker 1", loopback(responder.port()), KEY, NO_EXCHANGE);
        burstUntilAnswered(watched, 32);
        assertRight(watched, 7 * SECOND_NS);
        Patience.until(
                "a report", () -> watched.report(startNs, clock.getAsLong()).offsets() != null);
        ClockReport report = watched.report(startNs, clock.getAsLong());
        assertThat(report.probes().sent()).isGreaterThanOrEqualTo(96);
        assertThat(report.probes().answered().keySet()).containsExactly("UDP");
        assertThat(report.probes().medianRoundTripNs())
                .isGreaterThanOrEqualTo(report.probes().minRoundTripNs());
        assertThat(report.probes().minRoundTripNs()).isPositive();
        assertThat(report.breaks()).isEmpty();
        Patience.until("it asks by UDP", () -> watched.method().equals("UDP"));
        assertThat(watched.name()).isEqualTo("worker 1");
        assertThat(responder.refused()).isZero();
    }

    @Test
    void manyWorkersAreWatchedByOneThread() throws Exception {
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        List<WatchedClock> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long ahead = (i - 5) * SECOND_NS;
            ProbeResponder responder = closedAtEnd(ProbeResponder.open(loopback(0), () -> clock.getAsLong() + ahead));
            byte[] key = ProbeDatagramTest.key(i);
            responder.answer(key);
            all.add(watch.watch("worker " + i, loopback(responder.port()), key, NO_EXCHANGE));
        }
        for (int i = 0; i < 10; i++) {
            burstUntilAnswered(all.get(i), 8);
            assertRight(all.get(i), (i - 5) * SECOND_NS);
        }
    }

    @Test
    void aClockThatIsSetIsFoundAndFollowed() throws Exception {
        ProbeResponder responder = responder();
        responder.answer(KEY);
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        WatchedClock watched = watch.watch("worker 1", loopback(responder.port()), KEY, NO_EXCHANGE);
        burstUntilAnswered(watched, 8);
        long setNs = clock.getAsLong();
        aheadNs.addAndGet(-3 * SECOND_NS);
        Patience.until(
                "the break is found",
                () -> !watched.report(setNs, clock.getAsLong()).breaks().isEmpty());
        assertRight(watched, 4 * SECOND_NS);
        List<ClockBreak> breaks = watched.report(setNs, clock.getAsLong()).breaks();
        assertThat(breaks).hasSize(1);
        assertThat(breaks.get(0).movedNs()).isNegative().isGreaterThanOrEqualTo(-3 * SECOND_NS);
        assertThat(watched.report(0, breaks.get(0).sinceNs() - 1).breaks())
                .as("in a span that had ended")
                .isEmpty();
    }

    @Test
    void whereUdpIsSilentItAsksOtherwiseUntilItIsNot() throws Exception {
        ProbeResponder responder = responder();
        AtomicInteger asked = new AtomicInteger();
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock, SHORT_SILENCE_NS));
        WatchedClock watched = watch.watch("worker 1", loopback(responder.port()), KEY, overHttp(asked));
        Patience.until("an answer by HTTP", () -> watched.offset().isPresent());
        assertThat(watched.method()).isEqualTo("HTTP");
        assertRight(watched, 7 * SECOND_NS);
        burstUntilAnswered(watched, 8);
        responder.answer(KEY);
        Patience.until("it asks by UDP", () -> watched.method().equals("UDP"));
        assertRight(watched, 7 * SECOND_NS);
        assertThat(watched.report(0, clock.getAsLong()).probes().answered().keySet())
                .containsExactly("HTTP", "UDP");
        responder.answerNobody();
        Patience.until("it asks by HTTP", () -> watched.method().equals("HTTP"));
    }

    @Test
    void withoutAnAnswerThereIsNoOffset() throws Exception {
        ProbeResponder responder = responder();
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock, SHORT_SILENCE_NS));
        WatchedClock watched = watch.watch("worker 1", loopback(responder.port()), KEY, NO_EXCHANGE);
        assertThat(burst(watched, 8)).isZero();
        assertThat(watched.offset()).isEmpty();
        ClockReport report = watched.report(0, clock.getAsLong());
        assertThat(report.offsets()).isNull();
        assertThat(report.probes().answered()).isEmpty();
        assertThat(report.probes().sent()).isPositive();
    }

    @Test
    void aBurstEndsWithItsClock() throws Exception {
        ProbeResponder responder = responder();
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        WatchedClock watched = watch.watch("worker 1", loopback(responder.port()), KEY, NO_EXCHANGE);
        var burst = watched.burst(1_000_000);
        watched.close();
        assertThat(Patience.get("the end of the burst", burst)).isZero();
        assertThat(burst(watched, 8)).isZero();
    }

    /** If the worker answered a bad datagram, that answer would arrive before the one to the good datagram. */
    @Test
    void aWorkerAnswersOnlyWhatIsSealed() throws Exception {
        ProbeResponder responder = responder();
        responder.answer(KEY);
        DatagramSocket socket = closedAtEnd(new DatagramSocket(loopback(0)));
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        InetSocketAddress worker = loopback(responder.port());
        ProbeDatagram datagram = new ProbeDatagram();
        for (int length : new int[] {0, 1, 64, 95, 97, 1_400}) {
            socket.send(new DatagramPacket(new byte[length], length, worker));
        }
        datagram.ask(1, 1, new ProbeSeal(OTHER_KEY));
        socket.send(new DatagramPacket(datagram.bytes(), 96, worker));
        datagram.ask(1, 2, new ProbeSeal(KEY));
        socket.send(new DatagramPacket(datagram.bytes(), 97, worker));
        datagram.bytes()[20]++;
        socket.send(new DatagramPacket(datagram.bytes(), 96, worker));
        datagram.answer(1, 2, new ProbeSeal(KEY));
        socket.send(new DatagramPacket(datagram.bytes(), 96, worker));
        datagram.ask(1, 3, new ProbeSeal(KEY));
        socket.send(new DatagramPacket(datagram.bytes(), 96, worker));
        DatagramPacket answer = new DatagramPacket(datagram.bytes(), 97);
        socket.receive(answer);
        assertThat(answer.getLength()).isEqualTo(96);
        assertThat(datagram.looksLikeAnswer(96)).isTrue();
        assertThat(datagram.number()).isEqualTo(3);
        assertThat(datagram.receivedNs()).isLessThanOrEqualTo(datagram.answeredNs());
        assertThat(responder.refused()).isEqualTo(10);
    }

    /** A relay changes answers, sends them twice and again later, seals them with another key, and invents its own. */
    @Test
    void whatComesBesidesAnswersIsPassedOver() throws Exception {
        ProbeResponder responder = responder();
        responder.answer(KEY);
        DatagramSocket between = closedAtEnd(new DatagramSocket(loopback(0)));
        Thread relay = new Thread(() -> relay(between, loopback(responder.port())));
        relay.start();
        opened.add(relay::join);
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        WatchedClock watched = watch.watch("worker 1", loopback(between.getLocalPort()), KEY, NO_EXCHANGE);
        burstUntilAnswered(watched, 32);
        assertRight(watched, 7 * SECOND_NS);
        ClockReport report = watched.report(0, clock.getAsLong());
        assertThat(report.breaks()).isEmpty();
        long answered = report.probes().answered().getOrDefault("UDP", 0L);
        assertThat(answered).isBetween(1L, report.probes().sent());
        assertThat(answered).isLessThanOrEqualTo(responder.answered());
    }

    private static void relay(DatagramSocket between, InetSocketAddress worker) {
        ProbeDatagram datagram = new ProbeDatagram();
        List<byte[]> seen = new ArrayList<>();
        InetSocketAddress coordinator = worker;
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(datagram.bytes(), 97);
                between.receive(packet);
                if (!datagram.looksLikeAnswer(96)) {
                    coordinator = (InetSocketAddress) packet.getSocketAddress();
                    between.send(new DatagramPacket(datagram.bytes(), 96, worker));
                    continue;
                }
                byte[] answer = Arrays.copyOf(datagram.bytes(), 96);
                seen.add(answer);
                datagram.bytes()[24]++;
                between.send(new DatagramPacket(datagram.bytes(), 96, coordinator));
                datagram.answer(1, 2, new ProbeSeal(OTHER_KEY));
                between.send(new DatagramPacket(datagram.bytes(), 96, coordinator));
                for (byte[] each : List.of(answer, answer, seen.get(seen.size() / 2), new byte[96], new byte[3])) {
                    between.send(new DatagramPacket(each, each.length, coordinator));
                }
            }
        } catch (IOException e) {
            // The socket is closed at the end of the test.
        }
    }

    @Test
    void aPortThatIsTakenIsAnError() throws Exception {
        ProbeResponder responder = responder();
        assertThatThrownBy(() -> ProbeResponder.open(loopback(responder.port()), clock))
                .isInstanceOf(IOException.class);
        ClockWatch watch = closedAtEnd(ClockWatch.start(clock));
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("worker.invalid", 1);
        assertThatThrownBy(() -> watch.watch("worker 1", unknown, KEY, NO_EXCHANGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker.invalid");
    }
}
