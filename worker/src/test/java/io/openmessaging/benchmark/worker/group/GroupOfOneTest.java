package io.openmessaging.benchmark.worker.group;

/** What holds for a worker holds for a group. */
class GroupOfOneTest extends GroupContractTest {

    GroupOfOneTest() {
        super(1);
    }
}
