package io.openmessaging.benchmark.worker.group;

/** What holds for a worker holds for a group. */
class GroupOfTwoTest extends GroupContractTest {

    GroupOfTwoTest() {
        super(2);
    }
}
