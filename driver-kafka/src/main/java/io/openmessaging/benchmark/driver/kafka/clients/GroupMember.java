package io.openmessaging.benchmark.driver.kafka.clients;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import java.util.List;

/** A consumer of the run, with a client of its own or one of several that share a client. */
public interface GroupMember extends BenchmarkConsumer {

    /** Starts to close the consumer. */
    void end();

    /** Describes a consumer as the subject of a sentence, up to its verb. */
    static String describe(ConsumerSpec spec) {
        return "Consumer " + spec.id() + " of topic '" + spec.topic().name() + "', subscription '" + spec.subscription()
                + "',";
    }

    /** Closes many members in the time of one; failures to close are added to the error that is the reason for it. */
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
