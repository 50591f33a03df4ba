package io.openmessaging.benchmark.audit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one worker knows about which messages were sent and have arrived. Nothing in it changes any more.
 *
 * @param dispatches an entry for each producer of the worker
 * @param arrivals an entry for each topic and subscription that the worker has consumers of
 */
public record AuditPart(List<Dispatches> dispatches, List<Arrivals> arrivals) {

    /**
     * What a producer has sent.
     *
     * @param producer its number
     * @param sent how many messages: their sequence numbers are 0 to below this
     * @param measuredFrom the number of the first message that does not belong to a search; 0 without a search
     * @param failed those that were refused
     */
    public record Dispatches(int producer, long sent, long measuredFrom, SequenceSet failed) {

        private void writeTo(DataOutput out) throws IOException {
            out.writeInt(producer);
            out.writeLong(sent);
            out.writeLong(measuredFrom);
            failed.writeTo(out);
        }

        private static Dispatches readFrom(DataInput in) throws IOException {
            return new Dispatches(in.readInt(), in.readLong(), in.readLong(), SequenceSet.readFrom(in));
        }
    }

    /**
     * What has arrived at the worker for a subscription of a topic.
     *
     * @param topic the topic's name
     * @param subscription the subscription's index
     * @param arrivedOf what came, by producer
     * @param received how many messages came
     * @param duplicated how many of them had come before, those of a search not counted
     * @param duplicatedInSearch how many messages of a search had come before; 0 without one
     * @param damaged how many of them had another content than was sent, if that was checked
     */
    public record Arrivals(
            String topic,
            int subscription,
            Map<Integer, Arrived> arrivedOf,
            long received,
            long duplicated,
            long duplicatedInSearch,
            long damaged) {

        private void writeTo(DataOutput out) throws IOException {
            out.writeUTF(topic);
            out.writeInt(subscription);
            out.writeInt(arrivedOf.size());
            for (Map.Entry<Integer, Arrived> arrived : arrivedOf.entrySet()) {
                out.writeInt(arrived.getKey());
                arrived.getValue().numbers.writeTo(out);
                arrived.getValue().outOfOrder.writeTo(out);
            }
            out.writeLong(received);
            out.writeLong(duplicated);
            out.writeLong(duplicatedInSearch);
            out.writeLong(damaged);
        }

        private static Arrivals readFrom(DataInput in) throws IOException {
            String topic = in.readUTF();
            int subscription = in.readInt();
            Map<Integer, Arrived> arrivedOf = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                arrivedOf.put(in.readInt(), new Arrived(SequenceSet.readFrom(in), SequenceSet.readFrom(in)));
            }
            return new Arrivals(
                    topic, subscription, arrivedOf, in.readLong(), in.readLong(), in.readLong(), in.readLong());
        }
    }

    /**
     * What has arrived of one producer.
     *
     * @param numbers the sequence numbers that came at least once
     * @param outOfOrder those that came after a later one, and, as far as the worker knows, to one consumer only
     */
    public record Arrived(SequenceSet numbers, SequenceSet outOfOrder) {}

    /** Writes it in a binary form, which {@link #readFrom} reads. */
    public void writeTo(DataOutput out) throws IOException {
        out.writeInt(dispatches.size());
        for (Dispatches ofProducer : dispatches) {
            ofProducer.writeTo(out);
        }
        out.writeInt(arrivals.size());
        for (Arrivals ofSubscription : arrivals) {
            ofSubscription.writeTo(out);
        }
    }

    /** Reads what {@link #writeTo} has written; equal to what that was. */
    public static AuditPart readFrom(DataInput in) throws IOException {
        List<Dispatches> dispatches = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            dispatches.add(Dispatches.readFrom(in));
        }
        List<Arrivals> arrivals = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            arrivals.add(Arrivals.readFrom(in));
        }
        return new AuditPart(dispatches, arrivals);
    }
}
