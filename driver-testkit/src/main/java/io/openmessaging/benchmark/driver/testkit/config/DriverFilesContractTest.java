package io.openmessaging.benchmark.driver.testkit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests each driver file that a module ships, and the keys in its README. A driver's module extends this class once,
 * supplies the driver, and adds tests of what its own files promise.
 *
 * @param <C> the driver's configuration record
 */
@TestInstance(Lifecycle.PER_CLASS) // Lets the source of arguments be a method of the instance.
public abstract class DriverFilesContractTest<C extends Record> {

    protected abstract BenchmarkDriver<C> driver();

    /** Returns all driver files of the module; also a source of arguments for tests of the subclass. */
    protected List<ShippedDriverFile> files() {
        return ShippedDriverFile.all();
    }

    /** Returns the module's README. */
    protected Path readme() {
        return Path.of("README.md");
    }

    /** Returns the driver's part of the file, bound and checked. */
    protected final C config(ShippedDriverFile file) {
        return file.config(driver().configType());
    }

    @ParameterizedTest
    @MethodSource("files")
    void nothingIsWrong(ShippedDriverFile file) {
        assertThatCode(() -> config(file)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("files")
    void theDriverIsNamed(ShippedDriverFile file) {
        assertThat(file.text("driverClass")).isEqualTo(driver().getClass().getName());
    }

    /** Without a unique name, results of two files would have the same name. */
    @ParameterizedTest
    @MethodSource("files")
    void theNameIsItsOwn(ShippedDriverFile file) {
        assertThat(files())
                .extracting(each -> each.text("name"))
                .doesNotContain("")
                .containsOnlyOnce(file.text("name"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void theFirstLineSaysWhatTheFileIsFor(ShippedDriverFile file) throws IOException {
        assertThat(Files.readAllLines(file.path()).get(0)).matches("# .{40,}");
    }

    @Test
    void theReadmeHasEveryKeyWithItsDefault() throws IOException {
        assertThat(DocumentedKeys.differences(readme(), driver().configType())).isEmpty();
    }
}
