package io.openmessaging.benchmark.driver.pulsar;

import static io.openmessaging.benchmark.driver.pulsar.PulsarCalls.CALLS;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.Calls;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Pulsar's administration over HTTP: brokers, bookies and version.
 *
 * @param client client for all other requests
 * @param attempt the attempt to reach the administration, for messages
 */
record Administration(PulsarAdmin client, String attempt) {

    private static final int UNAUTHORIZED = 401;
    private static final int FIRST_REFUSAL = 400;
    private static final int FIRST_SERVER_ERROR = 500;

    /** Connects on the first request. */
    static Administration of(ClientConfig config, Duration timeout) throws DriverException {
        String attempt = "reach Pulsar's administration at " + config.httpUrl();
        try {
            return new Administration(PulsarClients.admin(config, timeout), attempt);
        } catch (PulsarClientException | IllegalArgumentException e) {
            throw CALLS.refused(attempt, e);
        }
    }

    /** Returns the number of bookies; empty where Pulsar does not report it, since that takes administrator rights. */
    OptionalInt bookies(Deadline deadline) throws DriverException, InterruptedException {
        CompletableFuture<OptionalInt> count = client.bookies()
                .getBookiesAsync()
                .thenApply(cluster -> OptionalInt.of(cluster.getBookies().size()))
                .exceptionallyCompose(error -> isRefusal(Calls.unwrapped(error))
                        ? CompletableFuture.completedFuture(OptionalInt.empty())
                        : CompletableFuture.failedFuture(error));
        return CALLS.await(attempt, deadline, count);
    }

    /**
     * Returns whether Pulsar refuses this request, although the login is accepted: a service may keep its bookies to
     * itself.
     */
    private static boolean isRefusal(Throwable error) {
        return error instanceof PulsarAdminException refusal
                && refusal.getStatusCode() >= FIRST_REFUSAL
                && refusal.getStatusCode() < FIRST_SERVER_ERROR
                && refusal.getStatusCode() != UNAUTHORIZED;
    }

    /** Returns {@code host:port} of each broker's administration, by host; omits brokers that share a host. */
    Map<String, String> brokersByHost(Deadline deadline) throws DriverException, InterruptedException {
        return brokers(deadline).stream()
                .collect(Collectors.groupingBy(broker -> broker.substring(0, broker.lastIndexOf(':'))))
                .entrySet()
                .stream()
                .filter(host -> host.getValue().size() == 1)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, host -> host.getValue().get(0)));
    }

    private List<String> brokers(Deadline deadline) throws DriverException, InterruptedException {
        return CALLS.await(attempt, deadline, client.brokers().getActiveBrokersAsync());
    }

    /** Describes the broker: product, version and brokers, with the given settings. */
    BrokerDescription describe(Map<String, String> settings, Deadline deadline)
            throws DriverException, InterruptedException {
        List<String> brokers = brokers(deadline);
        String version = CALLS.ask(attempt, deadline, client.brokers()::getVersion);
        return new BrokerDescription("Apache Pulsar", version.strip(), brokers, settings);
    }

    void close() {
        client.close();
    }
}
