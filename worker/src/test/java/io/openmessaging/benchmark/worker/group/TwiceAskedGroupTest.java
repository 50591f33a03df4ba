package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.worker.protocol.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Two workers whose every answer is lost once, so that every request arrives twice. Probes arrive once, because they
 * are counted.
 */
class TwiceAskedGroupTest extends GroupContractTest {

    TwiceAskedGroupTest() {
        super(2, TwiceAskedGroupTest::twice);
    }

    private static Worker twice(Worker worker) {
        return (Worker) Proxy.newProxyInstance(
                Worker.class.getClassLoader(), new Class<?>[] {Worker.class}, (proxy, method, arguments) -> {
                    try {
                        if (!method.getName().equals("probe")) {
                            method.invoke(worker, arguments);
                        }
                        return method.invoke(worker, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
