package io.openmessaging.benchmark.driver.redpanda;

import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/** The Kafka driver for one connection to what is expected to be Redpanda. */
final class KafkaProtocol extends KafkaBenchmarkDriver {

    private final AdminApi adminApi;
    private final DriverEvents events;

    /** Who answers does not change while a connection lasts. Used by the control thread. */
    private @Nullable BrokerDescription known;

    KafkaProtocol(AdminApi adminApi, DriverEvents events) {
        this.adminApi = adminApi;
        this.events = events;
    }

    @Override
    protected String system() {
        return "Redpanda";
    }

    @Override
    protected BrokerDescription describe(Admin admin, Duration timeout) throws DriverException, InterruptedException {
        BrokerDescription described = known;
        if (described == null) {
            RedpandaIdentity identity =
                    RedpandaIdentity.of(super.describe(admin, timeout), nodeIds(admin, timeout), adminApi.ask());
            described = identity.description();
            known = described;
            identity.doubt().ifPresent(doubt -> events.clientError("not Redpanda", new DriverException(doubt)));
        }
        return described;
    }

    private static Set<Integer> nodeIds(Admin admin, Duration timeout) throws DriverException, InterruptedException {
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
        try {
            return admin
                    .describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMs))
                    .nodes()
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .stream()
                    .map(Node::id)
                    .collect(Collectors.toSet());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new DriverException("Could not list the cluster's nodes: " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new DriverException("Could not list the cluster's nodes: no answer within " + timeoutMs + " ms", e);
        }
    }
}
