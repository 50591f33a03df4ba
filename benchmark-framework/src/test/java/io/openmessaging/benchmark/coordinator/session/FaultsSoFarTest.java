package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Knowledge about faults that are still in progress. */
class FaultsSoFarTest {

    private static final RunRequest REQUEST =
            Requests.request("faults: [{at: 0s, kill: leader, for: 1h}]", "testDuration: 2h");

    private static FaultInjector injector(FaultMeans means) {
        Topology topology = REQUEST.description().topology();
        return new FaultInjector(
                REQUEST.workload().workload().faultsInOrder(),
                means,
                REQUEST.system().control(),
                topology,
                System::nanoTime,
                Map::of);
    }

    private static FaultState only(FaultInjector injector) {
        List<FaultState> states = injector.soFar();
        assertThat(states).hasSize(1);
        return states.get(0);
    }

    @Test
    void aFaultIsKnownFromItsOrderUntilItIsTakenBack() throws Exception {
        CountDownLatch ordered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FaultInjector injector = injector((fault, leader) -> {
            ordered.countDown();
            goOn.await();
            return new FaultMeans.Begun() {
                @Override
                public String what() {
                    return "killed kafka-1";
                }

                @Override
                public void undo() throws FaultException {
                    throw new FaultException("kafka-1 does not start");
                }
            };
        });
        assertThat(injector.soFar()).isEmpty();
        injector.begin();
        Patience.await("the order", ordered);
        assertThat(only(injector).what()).isEqualTo("killed leader");
        assertThat(only(injector).begunNs()).isEmpty();

        goOn.countDown();
        Patience.until("the fault goes on", () -> only(injector).begunNs().isPresent());
        assertThat(only(injector).what()).isEqualTo("killed kafka-1");
        assertThat(only(injector).undoneNs()).isEmpty();

        injector.end();
        assertThat(only(injector).undoneNs()).isPresent();
        assertThat(only(injector).problem()).isEqualTo("kafka-1 does not start");
    }

    @Test
    void aFaultThatDoesNotComeAboutSaysWhy() {
        FaultInjector injector = injector((fault, leader) -> {
            throw new FaultException("nobody leads");
        });
        injector.begin();
        Patience.until(
                "the fault has failed", () -> injector.soFar().stream().anyMatch(state -> state.problem() != null));
        assertThat(only(injector).problem()).isEqualTo("nobody leads");
        assertThat(only(injector).begunNs()).isEmpty();
    }
}
