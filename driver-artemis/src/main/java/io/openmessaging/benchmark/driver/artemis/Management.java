package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.jspecify.annotations.Nullable;

/** Queries the broker's management through messages. */
final class Management {

    private static final SimpleString ADDRESS = SimpleString.of("activemq.management");

    private final ClientSession session;
    private @Nullable ClientRequestor requestor;

    /**
     * Sends no request yet.
     *
     * @param session the session, already started
     */
    Management(ClientSession session) {
        this.session = session;
    }

    /** Deletes an address and its queues, even while they have consumers. */
    void deleteAddress(SimpleString address, Deadline deadline) throws Exception {
        ClientMessage question = session.createMessage(false);
        ManagementHelper.putOperationInvocation(
                question, ResourceNames.BROKER, "deleteAddress", address.toString(), true);
        ask(question, deadline);
    }

    /** An attribute of the broker, as text. */
    String attribute(String name, Deadline deadline) throws Exception {
        ClientMessage question = session.createMessage(false);
        ManagementHelper.putAttribute(question, ResourceNames.BROKER, name);
        return String.valueOf(ask(question, deadline));
    }

    private @Nullable Object ask(ClientMessage question, Deadline deadline) throws Exception {
        if (requestor == null) {
            requestor = new ClientRequestor(session, ADDRESS);
        }
        @Nullable ClientMessage answer = requestor.request(question, deadline.leftMs());
        if (answer == null) {
            throw deadline.missed("an answer from the management of Artemis", null);
        }
        @Nullable Object result = ManagementHelper.getResult(answer);
        if (!ManagementHelper.hasOperationSucceeded(answer)) {
            throw new DriverException("the management of Artemis reports: " + result);
        }
        return result;
    }
}
