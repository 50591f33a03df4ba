package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;

/** A consumer of the run, be it one with a client to itself or one of several that share a client. */
public interface GroupMember extends BenchmarkConsumer {

    /** Begins to close it. */
    void end();

    /** The subject of a sentence, up to its verb. */
    static String describe(ConsumerSpec spec) {
        return "Consumer " + spec.id() + " of topic '" + spec.topic().name() + "', subscription '" + spec.subscription()
                + "',";
    }

    /** Closes many in the time of one; a failure to close is added to the error that is the reason for it. */
    static void closeAll(List<? extends GroupMember> members, Throwable reason) {
        members.forEach(GroupMember::end);
        for (GroupMember member : members) {
            try {
                member.close();
            } catch (DriverException e) {
                reason.addSuppressed(e);
            }
        }
    }
}
