package io.openmessaging.benchmark.driver.testkit.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.driver.testkit.config.ShippedDriverFile;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a local broker with TLS, a login, or both: its driver file connects to it, and other clients are refused.
 *
 * @param <C> the driver's configuration record
 */
public abstract class SecurityContractTest<C extends Record> {

    private static final int MESSAGES = 200;

    private static final Pattern SECRET = Pattern.compile("\\$\\{file:[^}]*}");

    @TempDir
    private Path folder;

    protected abstract BenchmarkDriver<C> driver();

    /** Returns the broker to start. */
    protected abstract LocalBroker broker();

    /** Returns the name of a driver file for a broker without security, in the module's folder. */
    protected abstract String plainFile();

    /**
     * Returns a pattern for the error of a client without the broker's security settings. It must match the reason: an
     * error that only reports a timeout could be due to a slow machine.
     *
     * @param tls true if the broker uses TLS; otherwise, it only requires a login
     */
    protected abstract String refusalOfUnsecured(boolean tls);

    /**
     * Returns the limit for a client without the broker's security settings. A driver whose client retries until its
     * call times out, and only then reports the reason, returns less than the limit that guards against hangs.
     */
    protected Duration limitOfUnsecured(boolean tls) {
        return Patience.LIMIT;
    }

    /** Returns a pattern for the error of a client with a wrong secret. */
    protected abstract String refusalOfWrongSecret();

    /** Returns the broker's setup apart from its security: one node unless overridden. */
    protected Setup setup() {
        return Setup.SINGLE;
    }

    /** Replaces the user's secrets in the driver file by wrong ones; the password of stores stays. */
    private static String withWrongSecret(String driverFile) {
        List<String> lines = new ArrayList<>();
        driverFile
                .lines()
                .forEach(line -> lines.add(
                        line.contains("trust") ? line : SECRET.matcher(line).replaceAll("guessed")));
        return String.join("\n", lines) + "\n";
    }

    /** Returns variants of the driver file that must work as well; only the file itself unless overridden. */
    protected List<String> variants(String driverFile) {
        return List.of(driverFile);
    }

    @Test
    void withTlsAndLoginOnlyWhoHasBothIsServed() throws Exception {
        assertOnlyWhoHasWhatTheBrokerAsksForIsServed(true, true);
    }

    @Test
    @LongSuite("starts a broker of its own, and TLS and a login together are in the default suite")
    void withTlsOnlyWhoSpeaksItIsServed() throws Exception {
        assertOnlyWhoHasWhatTheBrokerAsksForIsServed(true, false);
    }

    @Test
    @LongSuite("starts a broker of its own, and TLS and a login together are in the default suite")
    void withALoginOnlyWhoHasItIsServed() throws Exception {
        assertOnlyWhoHasWhatTheBrokerAsksForIsServed(false, true);
    }

    private void assertOnlyWhoHasWhatTheBrokerAsksForIsServed(boolean tls, boolean login) throws Exception {
        Setup plain = setup();
        Setup setup = new Setup(plain.nodes(), plain.heap(), plain.settings(), new Security(tls, login));
        try (TestBroker<C> broker = TestBroker.start(driver(), broker(), setup)) {
            String file = Files.readString(broker.driverFile().path());
            for (String variant : variants(file)) {
                assertMessagesTravel(config(variant));
            }
            ShippedDriverFile unsecured = ShippedDriverFile.named(plainFile());
            assertRefused(
                    broker.reach(unsecured.config(driver().configType())),
                    limitOfUnsecured(tls),
                    refusalOfUnsecured(tls));
            if (login) {
                String wrong = withWrongSecret(file);
                assertThat(wrong).isNotEqualTo(file);
                assertRefused(config(wrong), Patience.LIMIT, refusalOfWrongSecret());
            }
        }
    }

    private C config(String text) throws IOException {
        Path file = Files.createTempFile(folder, "driver", ".yaml");
        Files.writeString(file, text);
        return ShippedDriverFile.read(file).config(driver().configType());
    }

    private void assertMessagesTravel(C config) throws Exception {
        try (DriverSession session = DriverSession.open(driver(), config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < MESSAGES; i++) {
                RecordingCallback callback = new RecordingCallback("message " + i);
                producer.send(null, NumberedPayload.of(i, 100), callback);
                // One at a time: a broker that has just started on a busy machine refuses messages that wait too long.
                callback.awaitAcknowledged(Patience.LIMIT);
            }
            // Ignores duplicates: a client on a busy machine may send a message twice, which is not tested here.
            Patience.await("all messages")
                    .untilAsserted(() -> assertThat(numbers(listener))
                            .containsAll(IntStream.range(0, MESSAGES).boxed().toList()));
            assertThat(session.events().clientErrors()).isEmpty();
        }
    }

    private static Set<Integer> numbers(RecordingListener listener) {
        return listener.messages().stream()
                .map(message -> NumberedPayload.numberOf(message.payload()))
                .collect(Collectors.toSet());
    }

    /** Gives a client that retries until its call times out more time where a busy machine needs it. */
    private void assertRefused(C config, Duration limit, String reason) {
        String pattern = "(?s).*(" + reason + ").*";
        Throwable refusal = refusal(config, limit);
        for (Duration longer = limit.multipliedBy(2);
                !String.valueOf(refusal.getMessage()).matches(pattern) && longer.compareTo(Patience.LIMIT) < 0;
                longer = longer.multipliedBy(2)) {
            refusal = refusal(config, longer);
        }
        assertThat(refusal).hasMessageNotContaining("guessed").hasMessageMatching(pattern);
    }

    private Throwable refusal(C config, Duration limit) {
        Throwable refusal = catchThrowable(() -> {
            try (DriverSession session = DriverSession.open(driver(), config, limit)) {
                session.topic(1);
            }
        });
        assertThat(refusal).isInstanceOf(DriverException.class);
        return refusal;
    }
}
