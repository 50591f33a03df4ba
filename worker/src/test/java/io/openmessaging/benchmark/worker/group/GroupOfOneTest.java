package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.suite.Variant;

/** A group of one worker fulfils the contract of a worker. */
@Variant
class GroupOfOneTest extends GroupContractTest {

    GroupOfOneTest() {
        super(1);
    }
}
