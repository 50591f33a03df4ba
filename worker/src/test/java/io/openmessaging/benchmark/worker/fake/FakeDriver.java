package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The driver of {@link FakeSystem}: one that the test holds or, if the driver is loaded from a jar, a new one for each
 * connection.
 */
public class FakeDriver implements BenchmarkDriver<FakeDriver.Config> {

    /**
     * The keys of a driver file.
     *
     * @param addresses addresses of the broker; none by default
     * @param failingCall call that fails; null for none, the default
     * @param refuseSends true if no message is accepted
     * @param existingTopics existing topics in addition to those of the system
     */
    public record Config(
            List<String> addresses, @Nullable Call failingCall, boolean refuseSends, List<String> existingTopics) {
        public Config {
            addresses = addresses == null ? List.of() : addresses;
            existingTopics = existingTopics == null ? List.of() : existingTopics;
        }

        /** Returns a configuration without faults. */
        public static Config harmless() {
            return new Config(List.of(), null, false, List.of());
        }
    }

    private final Supplier<FakeSystem> systems;

    /** Creates the driver in the same way as when it is loaded from a jar. */
    public FakeDriver() {
        this.systems = FakeSystem::new;
    }

    /** Creates the driver of a system that the test holds. */
    public FakeDriver(FakeSystem system) {
        this.systems = () -> system;
    }

    @Override
    public Class<Config> configType() {
        return Config.class;
    }

    @Override
    public List<String> addresses(Config config) {
        return config.addresses();
    }

    @Override
    public Config withAddresses(Config config, List<String> addresses) {
        return new Config(addresses, config.failingCall(), config.refuseSends(), config.existingTopics());
    }

    @Override
    public List<String> existingTopics(Config config) {
        return config.existingTopics().isEmpty() ? systems.get().existing() : config.existingTopics();
    }

    @Override
    public Optional<String> messageTime(Config config) {
        return existingTopics(config).isEmpty() ? Optional.empty() : Optional.of("the fake system's clock");
    }

    @Override
    public String clientVersion() {
        return "fake-client 2.0";
    }

    @Override
    public DriverConnection connect(Config config, DriverContext context) throws DriverException, InterruptedException {
        FakeSystem system = systems.get();
        if (config.failingCall() != null) {
            system.on(config.failingCall(), () -> {
                throw new DriverException("the fake system refuses " + config.failingCall());
            });
        }
        if (config.refuseSends()) {
            system.refuse(number -> true);
        }
        system.connected(context.events());
        system.called(Call.CONNECT);
        return new FakeConnection(system, config.addresses());
    }
}
