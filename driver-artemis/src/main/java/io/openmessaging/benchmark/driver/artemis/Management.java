package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.jspecify.annotations.Nullable;

/** Asks the broker's management, by messages. */
final class Management {

    private static final SimpleString ADDRESS = SimpleString.of("activemq.management");

    private final ClientSession session;
    private @Nullable ClientRequestor requestor;

    /**
     * Asks nothing yet.
     *
     * @param session started
     */
    Management(ClientSession session) {
        this.session = session;
    }

    /** Deletes an address with its queues, whoever consumes from them. */
    void deleteAddress(SimpleString address, Deadline deadline) throws Exception {
        ClientMessage question = question();
        ManagementHelper.putOperationInvocation(
                question, ResourceNames.BROKER, "deleteAddress", address.toString(), true);
        ask(question, deadline);
    }

    /** An attribute of the broker, as a text. */
    String attribute(String name, Deadline deadline) throws Exception {
        ClientMessage question = question();
        ManagementHelper.putAttribute(question, ResourceNames.BROKER, name);
        return String.valueOf(ask(question, deadline));
    }

    private ClientMessage question() {
        return session.createMessage(false);
    }

    private @Nullable Object ask(ClientMessage question, Deadline deadline) throws Exception {
        if (requestor == null) {
            requestor = new ClientRequestor(session, ADDRESS);
        }
        // 0 would be no limit at all.
        long limitMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.leftNs()));
        @Nullable ClientMessage answer = requestor.request(question, limitMs);
        if (answer == null) {
            Duration limit = deadline.limit();
            throw new DriverException("Waited " + limit.toMillis() + " ms for an answer of the management of Artemis");
        }
        @Nullable Object result = ManagementHelper.getResult(answer);
        if (!ManagementHelper.hasOperationSucceeded(answer)) {
            throw new DriverException("the management of Artemis says: " + result);
        }
        return result;
    }
}
