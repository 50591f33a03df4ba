package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A broker without a process. {@link java.util.ServiceLoader} makes a new instance on each request, so all instances
 * share one record of events; a test starts with {@link #reset()}.
 */
public final class FakeLocalBroker extends LocalBroker {

    public static final String ADDRESS = "127.0.0.1:4242";

    /** An action while a broker starts. */
    @FunctionalInterface
    public interface Start {
        void happen() throws LocalBrokerException, InterruptedException;
    }

    private static final List<LocalBrokerOptions> STARTED = new ArrayList<>();
    private static Start start = () -> {};
    private static int closed;
    private static Optional<String> failure = Optional.empty();
    private static List<String> problems = List.of();

    /** Used by the service loader. */
    public FakeLocalBroker() {
        super("fake", Confinement.ProcessType.NATIVE, 4242);
    }

    public static void reset() {
        STARTED.clear();
        start = () -> {};
        closed = 0;
        failure = Optional.empty();
        problems = List.of();
    }

    public static void onStart(Start event) {
        start = event;
    }

    /** Makes the broker end by itself. */
    public static void die(String sentence) {
        failure = Optional.of(sentence);
    }

    /** Makes something that a run needs besides the broker unavailable. */
    public static void lack(String sentence) {
        problems = List.of(sentence);
    }

    /** The options with which brokers were to be started. */
    public static List<LocalBrokerOptions> started() {
        return STARTED;
    }

    public static int closed() {
        return closed;
    }

    @Override
    public Offer offer() {
        return new Offer("a broker for tests", Optional.empty());
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        STARTED.add(options);
        options.progress().accept("fetching the fake broker");
        start.happen();
        return new Running();
    }

    private static final class Running implements RunningBroker {

        private boolean open = true;

        @Override
        public String product() {
            return "Fake Broker";
        }

        @Override
        public String version() {
            return "3.1";
        }

        @Override
        public List<String> addresses() {
            return List.of(ADDRESS);
        }

        @Override
        public List<String> servers() {
            return List.of();
        }

        @Override
        public void stop(List<String> nodes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void pause(String node) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resume(String node) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public Map<String, String> settings() {
            return Map.of("heap", "of the fake");
        }

        @Override
        public List<String> problems() {
            return problems;
        }

        @Override
        public Optional<String> failure() {
            return failure;
        }

        @Override
        public void kill(String node) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void startAgain(String node) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                closed++;
            }
        }
    }
}
