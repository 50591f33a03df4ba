package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverControlTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final List<TopicSpec> TOPICS = List.of(new TopicSpec("a", 1), new TopicSpec("b", 2));

    private static final ConsumerSpec READER =
            new ConsumerSpec(7, TOPICS.get(0), "fresh", (key, payload, partition) -> {});

    private final FakeSystem system = new FakeSystem();
    private final SystemControl control = TestDrivers.control(system);

    @Test
    void topicsComeAndGo() throws Exception {
        assertThat(control.connect("run1", TIMEOUT, what -> {}))
                .isEqualTo(new BrokerDescription("Fake", "1.0", List.of(), Map.of()));
        control.createTopics(TOPICS);
        assertThat(system.topics()).containsExactlyInAnyOrder("a", "b");
        assertThatThrownBy(() -> control.createTopics(TOPICS)).isInstanceOf(DriverException.class);
        control.deleteTopics(TOPICS);
        assertThat(system.topics()).isEmpty();
        control.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void aConnectionWhoseBrokerCannotBeDescribedIsClosedAllTheSame() throws Exception {
        system.on(Call.DESCRIBE, () -> {
            throw new DriverException("no answer");
        });
        assertThatThrownBy(() -> control.connect("run1", TIMEOUT, what -> {})).hasMessage("no answer");
        control.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void itIsClosedOnceAndOnlyIfItIsThere() throws Exception {
        control.close();
        assertThat(system.calls()).isEmpty();
        control.connect("run1", TIMEOUT, what -> {});
        control.close();
        control.close();
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
    }

    @Test
    void connectingComesFirst() {
        assertThatThrownBy(() -> control.createTopics(TOPICS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> control.deleteTopics(TOPICS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatGoesWrongBetweenTwoCallsIsInTheWayOfNone() throws Exception {
        control.connect("run1", TIMEOUT, what -> {});
        system.events().fatal(new IOException("fenced"));
        system.events().clientError("connection", new IOException("reset"));
        control.createTopics(TOPICS);
        control.close();
        assertThat(system.topics()).hasSize(2);
    }

    @Test
    void whatACallWaitsForIsTold() throws Exception {
        List<String> told = new ArrayList<>();
        control.connect("run1", TIMEOUT, told::add);
        system.on(Call.DELETE_TOPICS, () -> system.events().waits("a member to go"));
        control.deleteTopics(TOPICS);
        assertThat(told).containsExactly("a member to go");
    }

    @Test
    void topicsAreReadFromTheBeginningWhereTheyAreKept() throws Exception {
        control.connect("run1", TIMEOUT, what -> {});
        assertThat(control.read(List.of(READER)))
                .as("of a system that keeps nothing")
                .isEmpty();

        system.keep(number -> true);
        SystemControl.Reading reading = control.read(List.of(READER)).orElseThrow();
        assertThat(system.count(Call.CLOSE_CONSUMER)).isZero();
        reading.close();
        assertThat(system.count(Call.CLOSE_CONSUMER)).isEqualTo(1);
    }

    @Test
    void whatGoesWrongWhileTopicsAreReadIsTold() throws Exception {
        system.keep(number -> true);
        control.connect("run1", TIMEOUT, what -> {});
        system.events().fatal(new IOException("long ago"));
        SystemControl.Reading reading = control.read(List.of(READER)).orElseThrow();
        assertThat(reading.problem()).isEmpty();
        system.events().clientError("consumer poll", new IOException("reset"));
        assertThat(reading.problem()).contains("consumer poll: reset");
        system.on(Call.CLOSE_CONSUMER, () -> {
            throw new DriverException("stuck");
        });
        assertThatThrownBy(reading::close).hasMessage("stuck");
    }

    @Test
    void theDriverSeesItsOwnClassesByNameInEveryCall() throws Exception {
        ClassLoader mine = new ClassLoader(getClass().getClassLoader()) {};
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Set<@Nullable ClassLoader> seen = new HashSet<>();
        for (Call call : Call.values()) {
            system.on(call, () -> seen.add(Thread.currentThread().getContextClassLoader()));
        }
        thread.setContextClassLoader(mine);
        try {
            control.connect("run1", TIMEOUT, what -> {});
            control.createTopics(TOPICS);
            control.deleteTopics(TOPICS);
            control.close();
            assertThat(thread.getContextClassLoader()).isSameAs(mine);
        } finally {
            thread.setContextClassLoader(before);
        }
        assertThat(system.calls())
                .containsExactly(Call.CONNECT, Call.DESCRIBE, Call.CREATE_TOPICS, Call.DELETE_TOPICS, Call.CLOSE);
        assertThat(seen).containsExactly(FakeSystem.class.getClassLoader());
    }
}
