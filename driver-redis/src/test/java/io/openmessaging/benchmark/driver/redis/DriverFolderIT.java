package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the packaged folder contains everything that the driver needs, in its own class loader. */
@ExtendWith(SharedRedis.class)
class DriverFolderIT {

    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        List<String> addresses = List.of(SharedRedis.get().address());
        PackagedDriver.load(RedisBenchmarkDriver.class).carriesMessages(Map.of(), addresses, Map.of(), 1000);
    }
}
