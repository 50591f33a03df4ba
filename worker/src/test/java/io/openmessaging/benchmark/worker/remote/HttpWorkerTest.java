package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.suite.Variant;
import io.openmessaging.benchmark.worker.WorkerContractTest;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker at the other end of HTTP, on loopback. */
@ExtendWith(ServedResolver.class)
@Variant
class HttpWorkerTest extends WorkerContractTest {

    HttpWorkerTest(Served served) {
        super(worker -> served.remote(worker, null));
    }
}
