package io.openmessaging.benchmark.broker.artemis;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The broker's configuration file. */
final class BrokerXml {

    /** The role of the only user. */
    static final String ROLE = "benchmark";

    /** All permissions that exist: the only user may do everything, at every address. */
    private static final String PERMISSIONS = Stream.of(("createAddress deleteAddress createDurableQueue"
                            + " deleteDurableQueue createNonDurableQueue deleteNonDurableQueue send consume browse manage")
                    .split(" "))
            .map(type -> "        <permission type=\"" + type + "\" roles=\"" + ROLE + "\"/>\n")
            .collect(Collectors.joining());

    /** The socket buffers are those that Artemis' own script puts into the file of a new broker. */
    private static final String FORM = """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration xmlns="urn:activemq">
              <core xmlns="urn:activemq:core">
                <name>%9$s</name>
                <bindings-directory>%1$s/bindings</bindings-directory>
                <journal-directory>%1$s/journal</journal-directory>
                <paging-directory>%1$s/paging</paging-directory>
                <large-messages-directory>%1$s/large-messages</large-messages-directory>
            %2$s%7$s    <acceptors>
                  <acceptor name="core">tcp://%3$s?protocols=%8$s;tcpSendBufferSize=1048576;tcpReceiveBufferSize=1048576%4$s</acceptor>
                </acceptors>
                <security-settings>
                  <security-setting match="#">
            %5$s      </security-setting>
                </security-settings>
                <address-settings>
                  <address-setting match="#">
            %6$s      </address-setting>
                </address-settings>
              </core>
            </configuration>
            """;

    private BrokerXml() {}

    /**
     * Returns the text of the file.
     *
     * @param address the only address to listen on, {@code host:port}
     * @param data the folder for journal, pages and large messages
     * @param pair additional elements of a node that is part of a pair; otherwise empty
     */
    static String of(BrokerSettings settings, String address, Path data, String pair) {
        String parameters = settings.value(BrokerSettings.ACCEPTOR_PARAMETERS);
        return FORM.formatted(
                escaped(data.toString()),
                elements("    ", settings.ofCore()),
                address,
                parameters.isEmpty() ? "" : ";" + escaped(parameters),
                PERMISSIONS,
                elements("        ", settings.ofAddresses()),
                pair,
                settings.value(BrokerSettings.PROTOCOLS),
                settings.brokerName());
    }

    private static String elements(String indent, Map<String, String> values) {
        return values.entrySet().stream()
                .map(value ->
                        indent + "<" + value.getKey() + ">" + escaped(value.getValue()) + "</" + value.getKey() + ">\n")
                .collect(Collectors.joining());
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
