package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;

/** Tests security with a cluster of three masters, which secure their own connections as those of clients. */
@LongSuite("starts a cluster for each case")
class ClusterSecurityIT extends SecurityIT {

    @Override
    protected Setup setup() {
        return Setup.ofNodes(3);
    }

    @Override
    protected String plainFile() {
        return "redis-cluster.yaml";
    }
}
