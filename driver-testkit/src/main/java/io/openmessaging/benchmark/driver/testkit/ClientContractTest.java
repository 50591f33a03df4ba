package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.suite.Patience;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Tests of the part of the driver SPI's contract that does not depend on how messages travel and needs no broker. A
 * driver's module extends this class once for each client library that it connects with.
 *
 * @param <C> the driver's configuration record
 */
public abstract class ClientContractTest<C extends Record> {

    private static final Duration LIMIT_OF_CALLS = Duration.ofSeconds(1);

    protected abstract BenchmarkDriver<C> driver();

    /** Returns a configuration that uses the client; its addresses are replaced. */
    protected abstract C config();

    /** Returns a limit that guards against hangs. */
    Duration patience() {
        return Patience.LIMIT;
    }

    @Test
    void theClassCanBeLoadedByName() throws ReflectiveOperationException {
        Class<?> type = driver().getClass();
        assertThat(Modifier.isPublic(type.getModifiers()))
                .as("%s is public", type)
                .isTrue();
        assertThat(Modifier.isPublic(type.getDeclaredConstructor().getModifiers()))
                .as("the constructor without arguments of %s is public", type)
                .isTrue();
    }

    @Test
    void theConfigurationTypeIsTheRecordOfTheConfiguration() {
        assertThat(driver().configType()).isEqualTo(config().getClass()).matches(Class::isRecord, "is a record");
    }

    @Test
    void theClientLibraryIsNamed() {
        assertThat(driver().clientVersion()).as("clientVersion()").isNotBlank();
    }

    @Test
    void addressesAreHostAndPort() {
        assertThat(driver().addresses(config())).allMatch(ClientContractTest::isHostAndPort, "is host:port");
    }

    @Test
    void withAddressesChangesTheAddresses() {
        List<String> own = addressesOrSkip();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            others.add("127.0.0.1:" + (i + 1));
        }
        C changed = driver().withAddresses(config(), others);
        assertThat(driver().addresses(changed))
                .as("addresses of a configuration made by withAddresses(config, %s)", others)
                .isEqualTo(others);
        assertThat(driver().addresses(driver().withAddresses(changed, own)))
                .as("addresses after changing them back")
                .isEqualTo(own);
    }

    @Test
    void anAddressWhereNothingListensIsAnErrorThatNamesIt() throws Exception {
        addressesOrSkip();
        String address;
        try (ServerSocket reserved = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = addressOf(reserved);
        }
        assertControlCallFails(address);
    }

    @Test
    void anAddressThatDoesNotAnswerIsAnErrorThatNamesIt() throws Exception {
        addressesOrSkip();
        // The server never accepts: the kernel accepts the connections, and no thread reads from them.
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertControlCallFails(addressOf(silent));
        }
    }

    /**
     * Asserts that a control call fails in time: the client's own timeouts must not add up to more than the guard,
     * which is many times the requested limit.
     */
    private void assertControlCallFails(String address) throws InterruptedException {
        C config = driver().withAddresses(config(), List.of(address));
        ExecutorService controlThread = Executors.newSingleThreadExecutor();
        try {
            Future<?> call = controlThread.submit(() -> connectAndDescribe(config, LIMIT_OF_CALLS));
            assertThatCode(() -> call.get(patience().toMillis(), TimeUnit.MILLISECONDS))
                    .as("what connect or, after it, describeBroker throws for %s", address)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(DriverException.class)
                    .hasMessageContaining(address);
        } finally {
            controlThread.shutdownNow();
        }
    }

    @Test
    void anInterruptEndsABlockedControlCall() throws Exception {
        addressesOrSkip();
        ExecutorService controlThread = Executors.newSingleThreadExecutor();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) patience().toMillis());
            C config = driver().withAddresses(config(), List.of(addressOf(silent)));
            Future<?> call = controlThread.submit(() -> connectAndDescribe(config, Duration.ofMinutes(10)));
            try (AutoCloseable accepted = silent.accept()) {
                assertThat(accepted).as("connection of the client").isNotNull();
                controlThread.shutdownNow();
                assertThatCode(() -> call.get(patience().toMillis(), TimeUnit.MILLISECONDS))
                        .as("end of an interrupted control call within %s", patience())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
            }
        } finally {
            controlThread.shutdownNow();
        }
    }

    private @Nullable Void connectAndDescribe(C config, Duration limit) throws DriverException, InterruptedException {
        try (DriverConnection connection =
                driver().connect(config, new DriverContext("contract", limit, new RecordingEvents()))) {
            connection.describeBroker();
        }
        return null;
    }

    private List<String> addressesOrSkip() {
        List<String> addresses = driver().addresses(config());
        if (addresses.isEmpty()) {
            throw new TestAbortedException("the system has no addresses");
        }
        return addresses;
    }

    private static String addressOf(ServerSocket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    static boolean isHostAndPort(String address) {
        return address.matches(".+:\\d+");
    }
}
