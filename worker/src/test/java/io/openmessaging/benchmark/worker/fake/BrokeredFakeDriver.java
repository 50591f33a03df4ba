package io.openmessaging.benchmark.worker.fake;

import io.openmessaging.benchmark.driver.NodeFigures;
import java.time.Duration;
import java.util.List;

/**
 * A {@link FakeDriver} of a system with a local broker, whose nodes report their resource usage through the client.
 */
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
