package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * The jars of a broker that runs on the JVM, as a Maven POM tells them.
 *
 * @param name the POM's artifact id, such as {@code kafka}
 * @param product the POM's name, such as {@code Apache Kafka}
 * @param version the broker's version, which is the POM's own
 * @param sizeMb how much is to be downloaded, about: the POM's property {@code download.mb}
 * @param pom the POM: complete in itself, and {@code dependency:copy-dependencies} puts the jars beside it
 */
public record JarSet(String name, String product, String version, int sizeMb, String pom) {

    /** Reads a POM that lies beside a class. */
    public static JarSet ofResource(Class<?> owner, String resource) {
        try (@Nullable InputStream stream = owner.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is missing beside " + owner.getName());
            }
            return of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes name, product, version and size from the POM. */
    static JarSet of(String pom) {
        Element project = parse(pom);
        return new JarSet(
                text(project, "artifactId"),
                text(project, "name"),
                text(project, "version"),
                Integer.parseInt(text(child(project, "properties"), "download.mb")),
                pom);
    }

    private static Element parse(String pom) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(pom)))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalArgumentException("not a POM: " + e.getMessage(), e);
        }
    }

    private static String text(Element parent, String name) {
        return child(parent, name).getTextContent().strip();
    }

    private static Element child(Element parent, String name) {
        for (@Nullable Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                return element;
            }
        }
        throw new IllegalArgumentException("the POM lacks " + name + " in " + parent.getTagName());
    }
}
