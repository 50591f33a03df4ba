package io.openmessaging.benchmark.broker.artemis;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The configuration that makes two nodes a pair, one live and one its backup: the live node sends everything that it
 * writes to the backup, and acknowledges a message when both have it.
 *
 * <p>Both are configured alike. The node that gets the lock is live; the other one follows it, and takes over when it
 * gets the lock and its data are complete. The lock is one of the operating system on a file, which two nodes on one
 * machine can share, so that there are never two live nodes: a killed node loses the lock, a paused one keeps it.
 *
 * @param addresses {@code host:port} of both
 * @param locks an existing folder for the lock
 * @param connectorParameters parameters of the connections between the nodes: empty, or {@code ?key=value;key=value}
 * @param password the password by which the nodes trust each other
 */
record ReplicatedPair(List<String> addresses, Path locks, String connectorParameters, String password) {

    static final int NODES = 2;

    private static final String FORM = """
                <connectors>
                  <connector name="own">tcp://%1$s%3$s</connector>
                  <connector name="other">tcp://%2$s%3$s</connector>
                </connectors>
                <cluster-user>pair</cluster-user>
                <cluster-password>%5$s</cluster-password>
                <cluster-connections>
                  <cluster-connection name="pair">
                    <connector-ref>own</connector-ref>
                    <retry-interval>200</retry-interval>
                    <static-connectors>
                      <connector-ref>other</connector-ref>
                    </static-connectors>
                  </cluster-connection>
                </cluster-connections>
                <ha-policy>
                  <replication>
                    <primary>
                      <manager>
                        <class-name>org.apache.activemq.artemis.lockmanager.file.FileBasedLockManager</class-name>
                        <properties>
                          <property key="locks-folder" value="%4$s"/>
                        </properties>
                      </manager>
                      <coordination-id>pair</coordination-id>
                      <retry-replication-wait>200</retry-replication-wait>
                    </primary>
                  </replication>
                </ha-policy>
            """;

    /** Creates a pair with a random password. */
    ReplicatedPair(List<String> addresses, Path locks, String connectorParameters) {
        this(addresses, locks, connectorParameters, UUID.randomUUID().toString());
    }

    /**
     * Returns the elements of a node's {@code broker.xml}.
     *
     * @param node 0 or 1
     */
    String elements(int node) {
        return FORM.formatted(
                addresses.get(node),
                addresses.get(1 - node),
                BrokerXml.escaped(connectorParameters),
                BrokerXml.escaped(locks.toString()).replace("\"", "&quot;"),
                password);
    }
}
