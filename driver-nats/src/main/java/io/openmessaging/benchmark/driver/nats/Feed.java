package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Message;
import io.nats.client.Subscription;

/** Where a consumer gets its messages from. Used by the consumer's thread alone, but for {@link #regained}. */
interface Feed extends NatsLink.Watcher {

    /** Creates the subscription that messages arrive at. */
    Subscription subscribe();

    /**
     * Requests messages if the subscription has too few to come.
     *
     * @param most largest number of messages to have requested
     */
    default void request(int most) {}

    /** Learns that nothing has arrived for a while. */
    default void idle() {}

    /** Returns whether this is a message for the listener; notes what it means for the requests. */
    boolean accept(Message message);

    /** Returns whether messages come from a stream, which limits how many of them are in flight. */
    boolean isStored();

    /** Returns whether the server expects an acknowledgement of each message. */
    boolean acknowledges();

    /** Acknowledges a message that the listener has received. */
    default void acknowledge(Message message) {
        if (acknowledges()) {
            message.ack();
        }
    }

    /** Returns a message that the listener has not received. */
    default void giveBack(Message message) {
        if (acknowledges()) {
            message.nak();
        }
    }

    /** Keeps the server from delivering a message again for another while. */
    default void touch(Message message) {
        if (acknowledges()) {
            message.inProgress();
        }
    }

    /** A feed of everything that the server sends to a subject, in a queue group with the other consumers. */
    record Pushed(NatsLink link, String subject, String group, boolean isStored, boolean acknowledges) implements Feed {

        @Override
        public Subscription subscribe() {
            return link.connection().subscribe(subject, group);
        }

        @Override
        public boolean accept(Message message) {
            return !message.isStatusMessage();
        }
    }
}
