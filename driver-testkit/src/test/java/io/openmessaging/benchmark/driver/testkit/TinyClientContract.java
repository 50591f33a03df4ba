package io.openmessaging.benchmark.driver.testkit;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import java.time.Duration;
import java.util.List;

/** The contract tests of a {@link TinyDriver} that need no broker. Run only by {@link DriverContractTestTest}. */
class TinyClientContract extends ClientContractTest<TinyDriver.Config> {

    private static final class HiddenDriver extends TinyDriver {}

    @Override
    protected BenchmarkDriver<TinyDriver.Config> driver() {
        return TinyContract.defect == Defect.CLASS_IS_HIDDEN ? new HiddenDriver() : new TinyDriver(TinyContract.defect);
    }

    @Override
    protected TinyDriver.Config config() {
        return new TinyDriver.Config(List.of("127.0.0.1:9"), TinyContract.defect);
    }

    @Override
    Duration patience() {
        return TinyContract.patienceWith(TinyContract.defect);
    }
}
