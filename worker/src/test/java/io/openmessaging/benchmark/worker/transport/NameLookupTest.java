package io.openmessaging.benchmark.worker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class NameLookupTest {

    private final BlockingQueue<String> told = new ArrayBlockingQueue<>(9);

    @Test
    void aLongOneIsToldAndItsEndAwaited() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        NameLookup lookup = new NameLookup(
                "w1",
                name -> {
                    try {
                        Patience.await("the answer", answer);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    throw new UnknownHostException(name);
                },
                Duration.ofMillis(1),
                told::add);
        assertThat(Patience.take("the line", told)).isEqualTo("waiting for the address of 'w1' …");
        answer.countDown();
        FutureTask<Optional<String>> end = new FutureTask<>(lookup::problem);
        new Thread(end, "waiting").start();
        assertThat(Patience.get("the end", end))
                .contains("the name w1 cannot be resolved on this machine (DNS, /etc/hosts)");
    }

    @Test
    void aNameWithAnAddressIsNoProblem() throws Exception {
        NameLookup lookup =
                new NameLookup("w1", name -> InetAddress.getLoopbackAddress(), Duration.ofDays(1), told::add);
        assertThat(lookup.problem()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void numbersAreLookedUpNowhere() throws Exception {
        assertThat(NameLookup.start("127.0.0.1", told::add).problem()).isEmpty();
        assertThat(NameLookup.start("[::1]", told::add).problem()).isEmpty();
    }
}
