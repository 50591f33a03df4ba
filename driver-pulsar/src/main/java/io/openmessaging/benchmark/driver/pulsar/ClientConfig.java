package io.openmessaging.benchmark.driver.pulsar;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys below {@code client}. Defaults are OMB's where it has the key.
 *
 * @param serviceUrl {@code pulsar://host:port} or {@code pulsar+ssl://host:port}, several hosts separated by commas
 * @param httpUrl {@code http://host:port} or {@code https://host:port} of the administration, several hosts likewise
 * @param ioThreads number of threads that send and receive
 * @param connectionsPerBroker number of connections to a broker, over which producers and consumers are spread; 0 for
 *     one each
 * @param clusterName cluster that a tenant is created for; absent: all clusters
 * @param namespacePrefix tenant and start of the name of the run's namespace
 * @param topicType {@code persistent} or {@code non-persistent}
 * @param persistence storage of persistent topics
 * @param clientMemoryLimitMB memory for messages that wait to be sent, MB, of all producers of a worker together; 0
 *     for no limit
 * @param maxConcurrentLookupRequests largest number of lookups of a topic's broker in flight on a connection
 * @param tlsAllowInsecureConnection true to accept any certificate of a broker
 * @param tlsEnableHostnameVerification true if a certificate must name the broker's host
 * @param tlsTrustCertsFilePath PEM file with the trusted certificates; absent: those of the JDK
 * @param authentication login; absent: none
 */
public record ClientConfig(
        @Default("pulsar://localhost:6650") String serviceUrl,
        @Default("http://localhost:8080") String httpUrl,
        @Default("8") @Range(from = "1") int ioThreads,
        @Default("8") @Range(from = "0") int connectionsPerBroker,
        @Nullable String clusterName,
        @Default("benchmark/ns") String namespacePrefix,
        @Default(PERSISTENT) String topicType,
        @Default("{}") Persistence persistence,
        @Default("256") @Range(from = "0") int clientMemoryLimitMB,
        @Default("1000") @Range(from = "1") int maxConcurrentLookupRequests,
        boolean tlsAllowInsecureConnection,
        boolean tlsEnableHostnameVerification,
        @Nullable String tlsTrustCertsFilePath,
        @Default("{}") PulsarLogin authentication)
        implements Checked {

    static final String PERSISTENT = "persistent";

    static final String NON_PERSISTENT = "non-persistent";

    /** The characters that Pulsar allows in the names of tenants and namespaces. */
    private static final Pattern NAMESPACE = Pattern.compile("[-=:.\\w]+/[-=:.\\w]+");

    /** Accepts the name of the client's constant, too, which is one of OMB's spellings. */
    public ClientConfig {
        topicType = topicType.replace('_', '-');
    }

    @Override
    public void check(Problems problems) {
        ServiceAddresses.check(problems, "serviceUrl", serviceUrl, ServiceAddresses.SERVICE);
        ServiceAddresses.check(problems, "httpUrl", httpUrl, ServiceAddresses.HTTP);
        problems.require(
                NAMESPACE.matcher(namespacePrefix).matches(),
                "namespacePrefix",
                "must be tenant/name, made of letters, digits and - = : . _",
                namespacePrefix);
        problems.require(
                topicType.equals(PERSISTENT) || topicType.equals(NON_PERSISTENT),
                "topicType",
                "must be persistent or non-persistent",
                topicType);
        problems.readable("tlsTrustCertsFilePath", tlsTrustCertsFilePath);
    }

    /** Returns whether topics are stored. */
    boolean isPersistent() {
        return topicType.equals(PERSISTENT);
    }

    /**
     * The keys below {@code client.authentication}.
     *
     * @param plugin the client's class that logs in, such as
     *     {@code org.apache.pulsar.client.impl.auth.AuthenticationToken}; absent for no login
     * @param data parameter of that class, such as {@code token:…} or {@code file:///path}
     */
    public record PulsarLogin(
            @Nullable String plugin, @Nullable String data) implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(
                    plugin != null || data == null, "plugin", "must name the class that the data are for", null);
            if (plugin != null) {
                problems.loadable("plugin", plugin, PulsarLogin.class);
            }
        }

        /** Hides the data, which may be a secret. */
        @Override
        public String toString() {
            return "PulsarLogin[plugin=" + plugin + "]";
        }
    }
}
