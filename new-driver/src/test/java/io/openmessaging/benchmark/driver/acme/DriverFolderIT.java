package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
class DriverFolderIT {

    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        PackagedDriver<?> driver = PackagedDriver.load(AcmeBenchmarkDriver.class);
        driver.carriesMessages(Map.of(), List.of(), Map.of(), 1000);
    }
}
