package io.openmessaging.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Draws the modules and their dependencies from the POMs, as docs/DESIGN.md has to show them. */
class ModulePictureTest {

    private static final Path HOME = Path.of("..");
    private static final Pattern SHOWN = Pattern.compile("(?s)```mermaid\n(.*?)```");

    /** Every module's tests use it. */
    private static final String TESTS_ONLY = "test-suites";

    private static Element project(Path folder) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(folder.resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        return children(parent, name).stream()
                .map(Element::getTextContent)
                .findFirst()
                .orElse("");
    }

    /** Returns the room of a module: drivers and their template share one, and so do local brokers of systems. */
    private static String room(Path folder) {
        String name = HOME.relativize(folder).toString();
        return name.replaceFirst("^(driver-(?!api|testkit).*|new-driver)$", "driver-*")
                .replaceFirst("^local-brokers/(?!launcher|testkit).*", "local-brokers/*");
    }

    private static Map<String, SortedSet<String>> dependencies() throws Exception {
        Map<String, String> rooms = new HashMap<>();
        Map<String, Element> projects = new HashMap<>();
        for (Path folder : ArchitectureTest.modules()) {
            Element project = project(folder);
            rooms.put(text(project, "artifactId"), room(folder));
            projects.put(text(project, "artifactId"), project);
        }
        Map<String, SortedSet<String>> dependencies = new TreeMap<>();
        projects.forEach((module, project) -> children(project, "dependencies").stream()
                .flatMap(list -> children(list, "dependency").stream())
                .filter(dependency -> !text(dependency, "scope").equals("test"))
                .flatMap(dependency -> Stream.ofNullable(rooms.get(text(dependency, "artifactId"))))
                .filter(to -> !to.equals(TESTS_ONLY) && !to.equals(rooms.get(module)))
                .forEach(to -> dependencies
                        .computeIfAbsent(String.valueOf(rooms.get(module)), from -> new TreeSet<>())
                        .add(to)));
        return dependencies;
    }

    private static boolean reaches(Map<String, SortedSet<String>> dependencies, String from, String to) {
        return from.equals(to)
                || dependencies.getOrDefault(from, new TreeSet<>()).stream()
                        .anyMatch(next -> reaches(dependencies, next, to));
    }

    /** Draws an arrow for each dependency that does not follow from others. */
    private static String picture(Map<String, SortedSet<String>> dependencies) {
        return dependencies.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .filter(to -> entry.getValue().stream()
                                .noneMatch(other -> !other.equals(to) && reaches(dependencies, other, to)))
                        .map(to -> "    " + box(entry.getKey()) + " --> " + box(to) + "\n"))
                .collect(Collectors.joining("", "flowchart TD\n", ""));
    }

    private static String box(String room) {
        return room.replaceAll("\\W", "_") + "[\"" + room + "\"]";
    }

    @Test
    void thePictureInDesignFollowsTheBuild() throws Exception {
        Matcher shown = SHOWN.matcher(Files.readString(HOME.resolve("docs/DESIGN.md")));
        assertThat(shown.find()).isTrue();
        assertThat(shown.group(1))
                .as("the picture of the modules in docs/DESIGN.md; replace it with the expected one")
                .isEqualTo(picture(dependencies()));
    }
}
