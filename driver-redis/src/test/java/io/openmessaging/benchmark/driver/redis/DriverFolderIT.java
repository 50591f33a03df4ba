package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The folder that is packaged holds all that the driver needs, in a class loader of its own. */
@ExtendWith(SharedRedis.class)
class DriverFolderIT {

    @Test
    void theDriverWorksFromItsFolderAlone() throws Exception {
        List<String> addresses = List.of(SharedRedis.get().address());
        PackagedDriver.load(RedisBenchmarkDriver.class).carriesMessages(Map.of(), addresses, Map.of(), 1000);
    }
}
