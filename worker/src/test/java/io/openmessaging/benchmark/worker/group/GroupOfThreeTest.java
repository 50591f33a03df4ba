package io.openmessaging.benchmark.worker.group;

/** What holds for a worker holds for a group. */
class GroupOfThreeTest extends GroupContractTest {

    GroupOfThreeTest() {
        super(3);
    }
}
