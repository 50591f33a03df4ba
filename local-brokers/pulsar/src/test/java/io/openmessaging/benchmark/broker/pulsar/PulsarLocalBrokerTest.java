package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pulsar.PulsarVersion;
import org.junit.jupiter.api.Test;

class PulsarLocalBrokerTest {

    @Test
    void isFoundByItsName() {
        assertThat(ServiceLoader.load(LocalBroker.class))
                .singleElement()
                .isInstanceOf(PulsarLocalBroker.class)
                .returns("pulsar", LocalBroker::name)
                .returns(6650, LocalBroker::usualPort);
    }

    @Test
    void fetchesTheVersionThatIsTestedHere() {
        JarSet set = JarSet.ofResource(PulsarLocalBroker.class, "jars.pom.xml");

        assertThat(set.product()).isEqualTo("Apache Pulsar");
        assertThat(set.version()).isEqualTo(PulsarVersion.getVersion());
        assertThat(set.pom())
                .contains("<version>" + set.version() + "</version>")
                .doesNotContain("${");
    }

    @Test
    void isNotReadyForTransactionsWhileThereIsNoCoordinator() throws IOException {
        AtomicBoolean complete = new AtomicBoolean();
        HttpServer broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext(PulsarLocalBroker.COORDINATORS, exchange -> {
            byte[] text = ("{\"partitions\":" + (complete.get() ? 1 : 0) + "}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        broker.start();
        try {
            String http = "127.0.0.1:" + broker.getAddress().getPort();

            assertThat(PulsarLocalBroker.isThere(PulsarLocalBroker.COORDINATORS, http, Map.of(), null))
                    .isFalse();
            complete.set(true);
            assertThat(PulsarLocalBroker.isThere(PulsarLocalBroker.COORDINATORS, http, Map.of(), null))
                    .isTrue();
        } finally {
            broker.stop(0);
        }
    }

    /** The broker refuses clients without a login long before it has created all objects of its start. */
    @Test
    void isNotReadyForHavingRefusedUsIfWeCanLogIn() throws IOException {
        AtomicBoolean complete = new AtomicBoolean();
        HttpServer broker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        broker.createContext(PulsarLocalBroker.LAST_TO_BE_CREATED, exchange -> {
            boolean known = "Bearer abc".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? complete.get() ? 200 : 404 : 401, -1);
            exchange.close();
        });
        broker.start();
        try {
            String http = "127.0.0.1:" + broker.getAddress().getPort();
            Map<String, String> login = Map.of("brokerClientAuthenticationParameters", "token:abc");

            assertThat(PulsarLocalBroker.isThere(PulsarLocalBroker.LAST_TO_BE_CREATED, http, login, null))
                    .isFalse();
            assertThat(PulsarLocalBroker.isThere(PulsarLocalBroker.LAST_TO_BE_CREATED, http, Map.of(), null))
                    .isTrue();
            complete.set(true);
            assertThat(PulsarLocalBroker.isThere(PulsarLocalBroker.LAST_TO_BE_CREATED, http, login, null))
                    .isTrue();
        } finally {
            broker.stop(0);
        }
    }
}
