package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.suite.Variant;

/** A group of two workers fulfils the contract of a worker. */
@Variant
class GroupOfTwoTest extends GroupContractTest {

    GroupOfTwoTest() {
        super(2);
    }
}
