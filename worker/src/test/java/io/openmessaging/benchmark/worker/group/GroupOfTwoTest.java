package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.suite.Variant;

/** What holds for a worker holds for a group. */
@Variant
class GroupOfTwoTest extends GroupContractTest {

    GroupOfTwoTest() {
        super(2);
    }
}
