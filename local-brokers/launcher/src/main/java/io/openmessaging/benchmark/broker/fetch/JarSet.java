package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;

/**
 * The jars of a broker that runs on the JVM, as listed by a Maven POM. They are kept in {@code .brokers/jars} of the
 * project's home folder; the project's own Maven fetches them on first use. Several processes may use the same jars
 * concurrently; an incomplete download is never used.
 *
 * @param name the POM's artifact id, such as {@code kafka}
 * @param product the POM's name, such as {@code Apache Kafka}
 * @param version the broker's version, which is the POM's own
 * @param sizeMb approximate size of the download: the POM's property {@code download.mb}
 * @param pom the POM: self-contained, and {@code dependency:copy-dependencies} puts the jars beside it
 */
public record JarSet(String name, String product, String version, int sizeMb, String pom) {

    private static final String POM = "pom.xml";

    /** Reads a POM that is a resource beside a class. */
    public static JarSet ofResource(Class<?> owner, String resource) {
        return of(text(owner, resource));
    }

    /** Returns the text of a resource beside a class. */
    public static String text(Class<?> owner, String resource) {
        try (@Nullable InputStream stream = owner.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is missing beside " + owner.getName());
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes name, product, version and size from the POM. */
    static JarSet of(String pom) {
        return new JarSet(
                text(pom, "artifactId"),
                text(pom, "name"),
                text(pom, "version"),
                Integer.parseInt(text(pom, "properties", "download.mb")),
                pom);
    }

    /** Returns the text of an element, addressed by its names from the outermost to the innermost. */
    private static String text(String pom, String... names) {
        String path =
                Stream.of(names).map(name -> "/*[local-name()='" + name + "']").collect(Collectors.joining());
        try {
            InputSource source = new InputSource(new StringReader(pom));
            String text = XPathFactory.newInstance()
                    .newXPath()
                    .evaluate("/*" + path, source)
                    .strip();
            if (text.isEmpty()) {
                throw new IllegalArgumentException("the POM lacks " + String.join("/", names));
            }
            return text;
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException("not a POM: " + e.getMessage(), e);
        }
    }

    /** Returns the offer, which has no obstacle: a broker of these jars can be started wherever this program runs. */
    public LocalBroker.Offer offer() {
        return new LocalBroker.Offer(product + " " + version, Optional.empty());
    }

    /**
     * Returns the jars, in a fixed order. Blocks while this process or another one fetches them.
     *
     * @param home a checkout or an unpacked release
     * @param progress receives a sentence when a download starts
     */
    public List<Path> fetched(Path home, Consumer<String> progress) throws LocalBrokerException, InterruptedException {
        return fetched(home, progress, FetchedFolder.LIMIT);
    }

    /**
     * Returns the jars, in a fixed order.
     *
     * @param limit the time after which a download by this process is aborted
     */
    public List<Path> fetched(Path home, Consumer<String> progress, Duration limit)
            throws LocalBrokerException, InterruptedException {
        Path root = home.toAbsolutePath();
        Path jars = root.resolve(".brokers").resolve("jars").resolve(name + "-" + version);
        new FetchedFolder(jars, product, POM, pom).fill(part -> {
            progress.accept("fetching " + product + " " + version + ", about " + sizeMb + " MB, once");
            runMaven(root, part, limit);
        });
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new LocalBrokerException("cannot read the jars of " + product + " in " + jars + ": " + e, e);
        }
    }

    private void runMaven(Path home, Path folder, Duration limit)
            throws IOException, LocalBrokerException, InterruptedException {
        Path mvnw = home.resolve("mvnw");
        if (!Files.isExecutable(mvnw)) {
            throw new BrokerUnavailableException("cannot fetch " + product + ": there is no program " + mvnw, null);
        }
        String pomFile = folder.resolve(POM).toString();
        List<String> command = new ArrayList<>(List.of(mvnw.toString(), "-B", "-q", "-f", pomFile));
        String repository = System.getProperty("maven.repo.local", "");
        if (!repository.isEmpty()) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        command.add("dependency:copy-dependencies");
        try {
            new Tool("Maven", command, Map.of(), home, limit).run();
        } catch (LocalBrokerException e) {
            throw new LocalBrokerException(
                    "cannot fetch " + product + " " + version + ": " + e.getMessage()
                            + "\nA broker that is already running needs no download: point the driver file to it.",
                    e);
        }
    }
}
