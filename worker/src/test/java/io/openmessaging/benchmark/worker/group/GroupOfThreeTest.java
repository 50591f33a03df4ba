package io.openmessaging.benchmark.worker.group;

/** A group of three workers fulfils the contract of a worker. */
class GroupOfThreeTest extends GroupContractTest {

    GroupOfThreeTest() {
        super(3);
    }
}
