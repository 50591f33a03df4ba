package io.openmessaging.benchmark.omb;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder with the fixture's driver, loaded as the harness does. */
record InstalledFixture(OmbFolder folder) {

    static InstalledFixture in(Path parent, Generation generation) throws IOException {
        return of(OmbFixture.install(parent.resolve("omb"), generation));
    }

    static InstalledFixture of(Path installed) throws IOException {
        try (Stream<Path> jars = Files.list(installed)) {
            return new InstalledFixture(
                    new OmbFolder(installed, jars.sorted().toList(), InstalledFixture.class.getClassLoader()));
        }
    }

    OmbDriver driver() throws DriverException {
        return folder.driver(OmbFixture.DRIVER);
    }

    /** Returns the calls of the driver that were made until now. */
    @SuppressWarnings("unchecked")
    List<String> calls() throws ReflectiveOperationException {
        Field calls = folder.loader().loadClass(OmbFixture.DRIVER).getField("CALLS");
        return List.copyOf((List<String>) calls.get(null));
    }

    static OmbConfig config(Map<String, String> keys) {
        return config(0, keys);
    }

    static OmbConfig config(int scratchBytes, Map<String, String> keys) {
        try {
            OmbConfig read = OmbConfig.of(new DriverSettings(Path.of("omb.yaml"), OmbFixture.DRIVER, Mapping.of(keys)));
            return new OmbConfig(new OmbConfig.Bridge(scratchBytes, false), read.yaml());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
