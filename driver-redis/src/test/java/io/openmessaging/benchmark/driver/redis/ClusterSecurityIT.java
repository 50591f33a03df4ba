package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;

/** The same with a cluster of three masters, which speak to each other as to their clients. */
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
