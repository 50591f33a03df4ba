package io.openmessaging.benchmark.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class BrokerXmlTest {

    @Test
    void elementsAreWhereTheyBelongAndTextIsEscaped() throws Exception {
        BrokerSettings settings = BrokerSettings.of(
                Map.of("journal-type", "ASYNCIO", "address-full-policy", "DROP", "acceptor-parameters", "a=<b>&c"));

        Element core = core(BrokerXml.of(settings, "192.0.2.1:61616", Path.of("/a & b/data"), ""));

        assertThat(text(core, "name")).isEqualTo(settings.brokerName());
        assertThat(text(core, "journal-type")).isEqualTo("ASYNCIO");
        assertThat(text(core, "journal-directory")).isEqualTo("/a & b/data/journal");
        assertThat(text(core, "paging-directory")).isEqualTo("/a & b/data/paging");
        assertThat(text(core, "acceptor")).startsWith("tcp://192.0.2.1:61616?").endsWith(";a=<b>&c");
        Element all = (Element) core.getElementsByTagName("address-setting").item(0);
        assertThat(all.getAttribute("match")).isEqualTo("#");
        assertThat(text(all, "address-full-policy")).isEqualTo("DROP");
        assertThat(text(all, "auto-create-queues")).isEqualTo("false");
    }

    private static Element core(String xml) throws Exception {
        return (Element) DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("core")
                .item(0);
    }

    private static String text(Element parent, String name) {
        return parent.getElementsByTagName(name).item(0).getTextContent();
    }
}
