package io.openmessaging.benchmark.broker.artemis;

import java.nio.file.Path;
import java.util.Map;

/** The broker's configuration file. */
final class BrokerXml {

    /** Every address. */
    private static final String ALL = "#";

    /** The role of the one user there is. */
    static final String ROLE = "benchmark";

    private static final String[] PERMISSIONS = {
        "createAddress",
        "deleteAddress",
        "createDurableQueue",
        "deleteDurableQueue",
        "createNonDurableQueue",
        "deleteNonDurableQueue",
        "send",
        "consume",
        "browse",
        "manage"
    };

    private BrokerXml() {}

    /**
     * The text of the file.
     *
     * @param host the only interface that is listened on
     * @param data where journal, pages and large messages go
     */
    static String of(BrokerSettings settings, String host, int port, Path data) {
        StringBuilder xml = new StringBuilder(4096);
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<configuration xmlns=\"urn:activemq\">\n");
        xml.append("  <core xmlns=\"urn:activemq:core\">\n");
        element(xml, 4, "name", "local");
        element(xml, 4, "bindings-directory", data.resolve("bindings").toString());
        element(xml, 4, "journal-directory", data.resolve("journal").toString());
        element(xml, 4, "paging-directory", data.resolve("paging").toString());
        element(
                xml,
                4,
                "large-messages-directory",
                data.resolve("large-messages").toString());
        elements(xml, 4, settings.ofCore());
        acceptor(xml, host, port, settings.acceptorParameters());
        security(xml);
        xml.append("    <address-settings>\n      <address-setting match=\"")
                .append(ALL)
                .append("\">\n");
        elements(xml, 8, settings.ofAddresses());
        xml.append("      </address-setting>\n    </address-settings>\n");
        xml.append("  </core>\n</configuration>\n");
        return xml.toString();
    }

    /** The socket buffers are those that Artemis' own script puts into the file of a new broker. */
    private static void acceptor(StringBuilder xml, String host, int port, String parameters) {
        String url = "tcp://" + host + ":" + port
                + "?protocols=CORE;tcpSendBufferSize=1048576;tcpReceiveBufferSize=1048576"
                + (parameters.isEmpty() ? "" : ";" + parameters);
        xml.append("    <acceptors>\n      <acceptor name=\"core\">")
                .append(escaped(url))
                .append("</acceptor>\n    </acceptors>\n");
    }

    private static void security(StringBuilder xml) {
        xml.append("    <security-settings>\n      <security-setting match=\"")
                .append(ALL)
                .append("\">\n");
        for (String permission : PERMISSIONS) {
            xml.append("        <permission type=\"")
                    .append(permission)
                    .append("\" roles=\"")
                    .append(ROLE)
                    .append("\"/>\n");
        }
        xml.append("      </security-setting>\n    </security-settings>\n");
    }

    private static void elements(StringBuilder xml, int indent, Map<String, String> values) {
        values.forEach((name, value) -> element(xml, indent, name, value));
    }

    private static void element(StringBuilder xml, int indent, String name, String value) {
        xml.append(" ".repeat(indent))
                .append('<')
                .append(name)
                .append('>')
                .append(escaped(value))
                .append("</")
                .append(name)
                .append(">\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
