package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.transport.Build;
import io.openmessaging.benchmark.worker.transport.TestKeys;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A visit that leaves workers unchanged. */
@ExtendWith(ServedResolver.class)
class VisitTest {

    private final Served served;

    VisitTest(Served served) {
        this.served = served;
    }

    private String serve() {
        return served.server(TestDrivers.worker(new FakeSystem(), new EpochClock()), null, ServerCaps.defaults())
                .url();
    }

    @Test
    void theFreeAreClaimedForTheMomentAndTheBusyLeftAlone() throws Exception {
        String free = serve();
        String busy = serve();
        Workers coordinator = served.claim(null, busy);
        try (Visit visit = Visit.pay(List.of(free, busy, "http://127.0.0.1:1"), Served.coordinator(null))) {
            Visit.Seen first = visit.all().get(0);
            assertThat(first.worker()).isEqualTo("worker 1 (" + free + ")");
            assertThat(first.info())
                    .hasValueSatisfying(info -> assertThat(info.busy()).isNull());
            assertThat(first.claimed())
                    .hasValueSatisfying(
                            worker -> assertThat(worker.roundTripNs()).isPositive());
            assertThat(first.problem()).isEmpty();

            Visit.Seen second = visit.all().get(1);
            assertThat(second.info())
                    .hasValueSatisfying(info -> assertThat(info.busy()).startsWith("a run of a test since "));
            assertThat(second.roundTripNs()).isPositive();
            assertThat(second.claimed()).isEmpty();
            assertThat(second.problem()).isEmpty();

            Visit.Seen third = visit.all().get(2);
            assertThat(third.info()).isEmpty();
            assertThat(third.problem())
                    .hasValueSatisfying(why -> assertThat(why).startsWith("nothing listens there"));
            assertThat(third.mayPass()).isTrue();
        }
        assertThat(coordinator.all().get(0).lost()).isEmpty();
        served.claim(null, free);
    }

    @Test
    void aWorkerOfAnotherBuildSaysSoBusyOrNot() throws Exception {
        String free = serve();
        String busy = serve();
        served.claim(null, busy);
        Workers.ConnectOptions newer = new Workers.ConnectOptions(
                new Build("2.0", Map.of("lib", "def")),
                "another test",
                null,
                false,
                WorkerTimeouts.defaults(),
                line -> {});
        try (Visit visit = Visit.pay(List.of(free, busy), newer)) {
            assertThat(visit.all()).allSatisfy(seen -> {
                assertThat(seen.problem())
                        .hasValueSatisfying(why -> assertThat(why)
                                .startsWith("another build: the worker runs 1.0 (")
                                .endsWith("they differ in lib"));
                assertThat(seen.mayPass()).isFalse();
                assertThat(seen.claimed()).isEmpty();
            });
        }
    }

    @Test
    void aWorkerWithAnotherKeyIsNotJustAway() throws Exception {
        String url = served.server(
                        TestDrivers.worker(new FakeSystem(), new EpochClock()), TestKeys.ours(), ServerCaps.defaults())
                .url();
        try (Visit visit = Visit.pay(List.of(url), Served.coordinator(TestKeys.others()))) {
            Visit.Seen seen = visit.all().get(0);
            assertThat(seen.problem()).hasValueSatisfying(why -> assertThat(why).contains("copy one key file"));
            assertThat(seen.mayPass()).isFalse();
        }
    }

    @Test
    void aNameWithoutAnAddressIsNamedAndMayGetOne() throws Exception {
        String url = "https://no-such-host.invalid:8080";
        try (Visit visit = Visit.pay(List.of(url), Served.coordinator(TestKeys.ours()))) {
            Visit.Seen seen = visit.all().get(0);
            assertThat(seen.problem())
                    .contains("the name no-such-host.invalid cannot be resolved on this machine (DNS, /etc/hosts);"
                            + " check --workers or the workers file");
            assertThat(seen.mayPass()).isTrue();
        }
    }

    @Test
    void whatIsNoAddressOfAWorkerIsRefused() {
        assertThatThrownBy(() -> Visit.pay(List.of("w1"), Served.coordinator(null)))
                .isInstanceOf(WorkerException.class)
                .hasMessageStartingWith("worker 1: must be a URL with a port");
    }
}
