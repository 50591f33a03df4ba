package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with the real Maven, started by the checkout's wrapper. */
@LongSuite("runs Maven twice, as the first start of a broker does")
class JarCacheIT {

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>io.openmessaging.benchmark.broker</groupId>
              <artifactId>demo</artifactId>
              <version>1</version>
              <packaging>pom</packaging>
              <name>Demo Broker</name>
              <properties><download.mb>1</download.mb></properties>
              <dependencies>
                <dependency>
                  <groupId>org.apiguardian</groupId>
                  <artifactId>apiguardian-api</artifactId>
                  <version>VERSION</version>
                </dependency>
              </dependencies>
              <build><plugins><plugin>
                <groupId>org.apache.maven.plugins</groupId>
                <artifactId>maven-dependency-plugin</artifactId>
                <version>3.11.0</version>
                <configuration><outputDirectory>./</outputDirectory></configuration>
              </plugin></plugins></build>
            </project>
            """;

    @TempDir
    Path home;

    @BeforeEach
    void useTheWrapperOfTheCheckout() throws Exception {
        Path checkout = Path.of(System.getProperty("benchmark.home"));
        Files.createDirectories(home.resolve(".mvn/wrapper"));
        for (String file : List.of("mvnw", ".mvn/wrapper/maven-wrapper.properties")) {
            Files.copy(checkout.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    @Test
    void fetchesJars() throws Exception {
        assertThat(setOfVersion("1.1.2").fetched(home, text -> {}))
                .singleElement()
                .isEqualTo(home.resolve(".brokers/jars/demo-1/apiguardian-api-1.1.2.jar"))
                .satisfies(jar -> assertThat(jar).isNotEmptyFile());
    }

    @Test
    void aVersionThatDoesNotExistIsOneMessage() {
        assertThatThrownBy(() -> setOfVersion("0.0.0-none").fetched(home, text -> {}))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("cannot fetch Demo Broker 1: Maven ended with exit code 1; it says:\n")
                .hasMessageContaining("org.apiguardian:apiguardian-api:jar:0.0.0-none")
                .hasMessageNotContaining("\tat ");

        assertThat(home.resolve(".brokers/jars/demo-1")).doesNotExist();
    }

    private static JarSet setOfVersion(String version) {
        return JarSet.of(POM.replace("VERSION", version));
    }
}
