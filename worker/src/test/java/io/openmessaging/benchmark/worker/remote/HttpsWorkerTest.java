package io.openmessaging.benchmark.worker.remote;

import io.openmessaging.benchmark.suite.Variant;
import io.openmessaging.benchmark.worker.WorkerContractTest;
import io.openmessaging.benchmark.worker.transport.TestKeys;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker at the other end of HTTPS, on loopback. */
@ExtendWith(ServedResolver.class)
@Variant
class HttpsWorkerTest extends WorkerContractTest {

    HttpsWorkerTest(Served served) {
        super(worker -> served.remote(worker, TestKeys.ours()));
    }
}
