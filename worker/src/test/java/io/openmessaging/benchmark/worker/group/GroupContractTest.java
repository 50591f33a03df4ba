package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.worker.WorkerContractTest;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.function.UnaryOperator;

/** Workers whose clocks are ten seconds apart, behind bytes, that look like one. */
abstract class GroupContractTest extends WorkerContractTest {

    private final int workers;

    GroupContractTest(int workers) {
        this(workers, UnaryOperator.identity());
    }

    /** With something between the group and each of its workers. */
    GroupContractTest(int workers, UnaryOperator<Worker> way) {
        super((system, clock) -> new Group(
                TestMember.of(workers, system, clock, way), Roles.MIXED, clock, TestMember.TIMING, progress -> {}));
        this.workers = workers;
    }

    @Override
    protected int workers() {
        return workers;
    }

    /** With the name of the worker before it. */
    @Override
    protected String told(String sentence) {
        return " (test): " + sentence;
    }
}
