package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

class TestBrokerTest {

    /** Actions on brokers, in order. */
    private static final List<String> EVENTS = new ArrayList<>();

    /** A running broker that is a folder instead of processes. */
    private record FolderBroker(LocalBrokerOptions options) implements RunningBroker {

        @Override
        public String product() {
            return "folder";
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public List<String> addresses() {
            return List.of("127.0.0.1:" + options.nodes());
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
            return options.settings();
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
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
            EVENTS.add("close " + options.nodes());
            try {
                Files.delete(options.place().folder());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class FolderLocalBroker extends LocalBroker {

        FolderLocalBroker() {
            super("folder", Confinement.ProcessType.NATIVE, 1);
        }

        @Override
        public Offer offer() {
            return new Offer("a broker for tests", Optional.empty());
        }

        @Override
        public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException {
            EVENTS.add("start " + options.nodes());
            folder = options.place().folder();
            if (options.settings().containsKey("refused")) {
                throw new LocalBrokerException("refused is no setting", null);
            }
            try {
                Files.createDirectory(options.place().folder());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new FolderBroker(options);
        }
    }

    /** Folder of the last broker, in a temporary folder. */
    private static volatile Path folder = Path.of("");

    private static TestBroker<TinyDriver.Config> start(TestBroker.Setup setup) {
        return TestBroker.start(new TinyDriver(), new FolderLocalBroker(), setup);
    }

    @BeforeEach
    void sayWhereTheCheckoutIs() {
        System.setProperty("benchmark.home", "somewhere");
        EVENTS.clear();
    }

    @AfterEach
    void clear() {
        System.clearProperty("benchmark.home");
    }

    @Test
    void configurationsReachTheBrokerAndNothingIsLeftAfterClose() {
        try (TestBroker<TinyDriver.Config> broker = start(new TestBroker.Setup(3, "64m", Map.of("a", "b")))) {
            TinyDriver.Config config = new TinyDriver.Config(List.of("elsewhere:1"), Defect.NONE);
            assertThat(broker.addresses()).containsExactly("127.0.0.1:3");
            assertThat(broker.reach(config).addresses()).containsExactly("127.0.0.1:3");
            assertThat(((FolderBroker) broker.broker()).options())
                    .returns("64m", options -> options.jvm().heap())
                    .returns(Path.of("somewhere"), options -> options.place().home())
                    .returns(Map.of("a", "b"), LocalBrokerOptions::settings);
            assertThat(folder).isDirectory();
        }
        assertThat(EVENTS).containsExactly("start 3", "close 3");
        assertThat(folder.resolveSibling(".")).doesNotExist();
    }

    @Test
    void aStartThatFailsIsToldAndLeavesNothing() {
        assertThatThrownBy(() -> start(TestBroker.Setup.with(Map.of("refused", "yes"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("No folder to test with: refused is no setting");
        assertThat(folder.resolveSibling(".")).doesNotExist();
    }

    /** An extension as a driver's module writes it. */
    private static final class FolderExtension extends TestBrokerExtension<TinyDriver.Config> {

        FolderExtension(int nodes) {
            super(new TinyDriver(), new FolderLocalBroker(), TestBroker.Setup.ofNodes(nodes));
        }
    }

    /** Run only by the tests of this class. */
    static class OneNode {

        @RegisterExtension
        static final FolderExtension BROKER = new FolderExtension(1);

        @Test
        void uses() {
            EVENTS.add("use " + BROKER.addresses());
        }
    }

    /** Requests the same broker as {@link OneNode}. */
    static class OneNodeAgain extends OneNode {

        @RegisterExtension
        static final FolderExtension ANOTHER = new FolderExtension(1);
    }

    static class TwoNodes {

        @RegisterExtension
        static final FolderExtension BROKER = new FolderExtension(2);

        @Test
        void uses() {
            EVENTS.add("use " + BROKER.addresses());
        }
    }

    @Test
    void classesThatAskForTheSameShareABrokerThatEndsWithTheLastTest() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OneNode.class), selectClass(TwoNodes.class), selectClass(OneNodeAgain.class))
                .execute()
                .testEvents()
                .assertStatistics(tests -> tests.succeeded(3));
        assertThat(EVENTS.subList(0, 5))
                .containsExactlyInAnyOrder(
                        "start 1", "use [127.0.0.1:1]", "start 2", "use [127.0.0.1:2]", "use [127.0.0.1:1]");
        assertThat(EVENTS.subList(5, EVENTS.size())).containsExactlyInAnyOrder("close 1", "close 2");
    }

    @Test
    void beforeTheTestsOfAClassThereIsNoBroker() {
        assertThatThrownBy(() -> new FolderExtension(1).addresses())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The broker runs only during the tests of its class.");
    }
}
