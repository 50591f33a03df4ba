package io.openmessaging.benchmark.driver.acme;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.config.DriverFilesContractTest;

class DriverFilesTest extends DriverFilesContractTest<AcmeConfig> {

    @Override
    protected BenchmarkDriver<AcmeConfig> driver() {
        return new AcmeBenchmarkDriver();
    }
}
