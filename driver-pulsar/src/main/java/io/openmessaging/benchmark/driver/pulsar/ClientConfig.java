package io.openmessaging.benchmark.driver.pulsar;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.ConfigRecords;
import io.openmessaging.benchmark.driver.Problems;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code client}. Defaults are OMB's where it has the key.
 *
 * @param serviceUrl {@code pulsar://host:port} or {@code pulsar+ssl://host:port}, several hosts separated by commas
 * @param httpUrl {@code http://host:port} or {@code https://host:port} of the administration, several hosts likewise
 * @param ioThreads threads that send and receive; 8 if absent
 * @param connectionsPerBroker connections among which producers and consumers are spread; 8 if absent, 0 for one each
 * @param clusterName the cluster that a tenant is created for; absent: all that there are
 * @param namespacePrefix tenant and beginning of the name of the run's namespace; {@code benchmark/ns} if absent
 * @param topicType {@code persistent} (if absent) or {@code non-persistent}
 * @param persistence how persistent topics are stored
 * @param memoryLimitMb for messages that wait to be sent, of all producers of a worker together; 64 if absent, as in the
 *     client; 0 for no limit
 * @param tlsAllowInsecureConnection whether any certificate of a broker will do
 * @param tlsEnableHostnameVerification whether a certificate has to name the broker's host
 * @param tlsTrustCertsFilePath a PEM file of the certificates to trust; absent: those of the JDK
 * @param authentication how to log in; absent: not at all
 */
public record ClientConfig(
        String serviceUrl,
        String httpUrl,
        Integer ioThreads,
        Integer connectionsPerBroker,
        @Nullable String clusterName,
        String namespacePrefix,
        String topicType,
        Persistence persistence,
        Integer memoryLimitMb,
        boolean tlsAllowInsecureConnection,
        boolean tlsEnableHostnameVerification,
        @Nullable String tlsTrustCertsFilePath,
        Login authentication)
        implements Checked {

    static final String PERSISTENT = "persistent";

    static final String NON_PERSISTENT = "non-persistent";

    /** What Pulsar allows in the name of a tenant and of a namespace. */
    private static final Pattern NAMESPACE = Pattern.compile("[-=:.\\w]+/[-=:.\\w]+");

    /** Puts the defaults in. */
    public ClientConfig {
        serviceUrl = requireNonNullElse(serviceUrl, "pulsar://localhost:6650");
        httpUrl = requireNonNullElse(httpUrl, "http://localhost:8080");
        ioThreads = requireNonNullElse(ioThreads, 8);
        connectionsPerBroker = requireNonNullElse(connectionsPerBroker, 8);
        namespacePrefix = requireNonNullElse(namespacePrefix, "benchmark/ns");
        // The name of the client's constant is one of OMB's ways to write it.
        topicType = requireNonNullElse(topicType, PERSISTENT).replace('_', '-');
        persistence = requireNonNullElseGet(persistence, () -> ConfigRecords.ofDefaults(Persistence.class));
        memoryLimitMb = requireNonNullElse(memoryLimitMb, 64);
        authentication = requireNonNullElse(authentication, Login.NONE);
    }

    @Override
    public void check(Problems problems) {
        problems.require(
                ServiceAddresses.isServiceUrl(serviceUrl),
                "serviceUrl",
                "must be pulsar://host:port or pulsar+ssl://host:port, several hosts separated by commas",
                serviceUrl);
        problems.require(
                ServiceAddresses.isHttpUrl(httpUrl),
                "httpUrl",
                "must be http://host:port or https://host:port, several hosts separated by commas",
                httpUrl);
        problems.atLeast(1, "ioThreads", ioThreads);
        problems.require(
                connectionsPerBroker >= 0, "connectionsPerBroker", "must not be negative", connectionsPerBroker);
        problems.require(
                NAMESPACE.matcher(namespacePrefix).matches(),
                "namespacePrefix",
                "must be tenant/name, of letters, digits and - = : . _",
                namespacePrefix);
        problems.require(
                topicType.equals(PERSISTENT) || topicType.equals(NON_PERSISTENT),
                "topicType",
                "must be persistent or non-persistent",
                topicType);
        problems.require(memoryLimitMb >= 0, "memoryLimitMb", "must not be negative", memoryLimitMb);
    }

    /** Whether topics are stored. */
    boolean isPersistent() {
        return topicType.equals(PERSISTENT);
    }
}
