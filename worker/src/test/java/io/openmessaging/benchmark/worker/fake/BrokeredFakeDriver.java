package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.NodeFigures;
import java.time.Duration;
import java.util.List;

/** The same driver, of a system whose broker can be started on this machine, and tells by the client what it uses. */
public class BrokeredFakeDriver extends FakeDriver {

    @Override
    public List<String> localBrokers() {
        return List.of("fake");
    }

    @Override
    public List<NodeFigures> nodeFigures(Config config, Duration timeout) {
        return config.addresses().stream().<NodeFigures>map(FakeFigures::new).toList();
    }
}
