package io.openmessaging.benchmark.driver.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BrokerDescription;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackagedDriverTest {

    @TempDir
    Path folder;

    /** Packages these tests' classes whose file names are wanted, as a module packages its driver. */
    private void jar(Predicate<String> wanted) throws Exception {
        Path classes = Path.of(TinyDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (OutputStream file = Files.newOutputStream(folder.resolve("driver-tiny.jar"));
                JarOutputStream jar = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                if (wanted.test(each.getFileName().toString())) {
                    put(jar, classes.relativize(each).toString().replace('\\', '/'), each);
                }
            }
        }
    }

    private static void put(JarOutputStream jar, String name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, jar);
        jar.closeEntry();
    }

    private static BrokerDescription use(PackagedDriver<?> packaged) throws Exception {
        try (TinyServer server = new TinyServer()) {
            return packaged.carriesMessages(
                    Map.of("addresses", List.of("127.0.0.1:1"), "defect", "NONE"),
                    List.of(server.address()),
                    Map.of(),
                    10,
                    20);
        }
    }

    @Test
    void messagesTravel() throws Exception {
        jar(name -> name.startsWith("Tiny") || name.startsWith("Defect"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        PackagedDriver<?> packaged = PackagedDriver.load(TinyDriver.class, folder);

        assertThat(use(packaged).product()).isEqualTo("Tiny");

        BenchmarkDriver<?> driver = packaged.driver();
        assertThat(driver.getClass().getName()).isEqualTo(TinyDriver.class.getName());
        assertThat(driver.getClass().getClassLoader()).isNotSameAs(TinyDriver.class.getClassLoader());
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }

    @Test
    void whatTheFolderLacksIsMissingThoughTheTestsHaveIt() throws Exception {
        jar(name -> name.startsWith("TinyDriver") || name.startsWith("Defect"));
        PackagedDriver<?> packaged = PackagedDriver.load(TinyDriver.class, folder);
        assertThatThrownBy(() -> use(packaged))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("TinyConnection");
    }

    @Test
    void anEmptyFolderHasNoDriver() {
        assertThatThrownBy(() -> PackagedDriver.load(TinyDriver.class, folder))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void aWrongConfigurationIsNotedBeforeAnythingElse() throws Exception {
        jar(name -> name.startsWith("Tiny") || name.startsWith("Defect"));
        PackagedDriver<?> packaged = PackagedDriver.load(TinyDriver.class, folder);
        assertThatThrownBy(() -> packaged.carriesMessages(Map.of("adresses", List.of()), List.of(), Map.of(), 10))
                .hasMessageContaining("adresses");
    }
}
