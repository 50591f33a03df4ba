package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** The smallest driver that fulfills the contract, unless it has a {@link Defect}. */
public class TinyDriver implements BenchmarkDriver<TinyDriver.Config> {

    /** The system's addresses and the driver's defect. */
    public record Config(
            List<String> addresses, @Default("NONE") Defect defect) implements Checked {

        public Config {
            addresses = addresses == null ? List.of("localhost:1") : addresses;
        }

        @Override
        public void check(Problems problems) {
            problems.require(!addresses.isEmpty(), "addresses", "must have one", addresses);
        }
    }

    private record AnotherConfig() {}

    private final Defect defect;

    public TinyDriver() {
        this(Defect.NONE);
    }

    TinyDriver(Defect defect) {
        this.defect = defect;
    }

    @Override
    @SuppressWarnings("unchecked") // The wrong type is intended.
    public Class<Config> configType() {
        Class<?> type = defect == Defect.CONFIG_TYPE_IS_ANOTHER ? AnotherConfig.class : Config.class;
        return (Class<Config>) type;
    }

    @Override
    public boolean carriesHeaders(Config config) {
        return true;
    }

    @Override
    public List<String> addresses(Config config) {
        return defect == Defect.ADDRESSES_HAVE_NO_PORT ? List.of("127.0.0.1") : config.addresses();
    }

    @Override
    public Config withAddresses(Config config, List<String> addresses) {
        return defect == Defect.OTHER_ADDRESSES_ARE_IGNORED ? config : new Config(addresses, config.defect());
    }

    @Override
    public String clientVersion() {
        return defect == Defect.CLIENT_HAS_NO_NAME ? " " : "tiny 1";
    }

    @Override
    public DriverConnection connect(Config config, DriverContext context) throws DriverException, InterruptedException {
        String address = config.addresses().get(0);
        try {
            awaitGreeting(address, context.timeout().toMillis());
        } catch (ClosedByInterruptException e) {
            // The interrupt arrived while the channel was being connected; handled like one during the wait.
            throw interrupted(address);
        } catch (IOException e) {
            String name = defect == Defect.ERRORS_DO_NOT_NAME_THE_ADDRESS ? "the broker" : address;
            throw new DriverException("No connection to " + name + ": " + e.getMessage(), e);
        }
        return new TinyConnection(config, context);
    }

    private void awaitGreeting(String address, long timeoutMs)
            throws IOException, DriverException, InterruptedException {
        String[] hostAndPort = address.split(":", 2);
        try (Selector selector = Selector.open();
                SocketChannel channel =
                        SocketChannel.open(new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])))) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            int ready = selector.select(timeoutMs);
            if (Thread.currentThread().isInterrupted()) {
                throw interrupted(address);
            }
            if (ready == 0 || channel.read(ByteBuffer.allocate(1)) != 1) {
                throw new IOException("waited " + timeoutMs + " ms for a greeting");
            }
        }
    }

    /** Clears the interrupt status, as is usual before this exception is thrown. */
    private InterruptedException interrupted(String address) throws DriverException {
        boolean wasSet = Thread.interrupted();
        if (defect == Defect.INTERRUPT_BECOMES_A_DRIVER_EXCEPTION) {
            throw new DriverException("Interrupted (" + wasSet + ") while connecting to " + address);
        }
        return new InterruptedException();
    }

    /** Takes longer than a close may take. */
    static void endSlowlyIf(boolean slow) {
        if (slow) {
            try {
                Thread.sleep(3 * TinyContract.PATIENCE_WITH_SLOW_CLOSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
