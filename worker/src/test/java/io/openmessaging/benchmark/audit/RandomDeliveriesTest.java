package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random faults in random deliveries, counted by the audit and by a model that forgets nothing. */
class RandomDeliveriesTest {

    private static final int FEW = 12;

    /** One message on its way to a subscription. */
    private record Message(int producer, long sequence, int partition) {}

    /** A message that comes again, to a certain consumer, after a number of deliveries. */
    private record Redelivery(long afterDeliveries, Message message, int consumer) {}

    /** Where a consumer is in the order of a producer's messages from a partition. */
    private record Position(int consumer, int producer, int partition) {}

    /** Counts what the audit is to count, with every message remembered. */
    private static final class Model {

        final Set<Message> arrived = new HashSet<>();
        final Set<Message> arrivedLate = new HashSet<>();
        final Map<Position, Long> newest = new HashMap<>();
        long received;
        long duplicated;
        long outOfOrder;

        void deliver(Message message, int consumer) {
            received++;
            Position position = new Position(consumer, message.producer, message.partition);
            long newestBefore = newest.getOrDefault(position, -1L);
            if (!arrived.add(message)) {
                duplicated++;
            } else if (message.sequence < newestBefore) {
                outOfOrder++;
                arrivedLate.add(message);
            }
            newest.put(position, Math.max(newestBefore, message.sequence));
        }
    }

    /** How often, of a hundred thousand messages, a fault happens. */
    private record Faults(int lost, int failed, int failedButReceived, int swapped, int redelivered) {

        static Faults random(Random random) {
            int[] scales = {0, 3, 50, 1_000, 20_000};
            return new Faults(
                    scales[random.nextInt(scales.length)],
                    scales[random.nextInt(scales.length - 1)],
                    scales[random.nextInt(scales.length - 1)],
                    scales[random.nextInt(scales.length)],
                    scales[random.nextInt(scales.length)]);
        }

        static boolean happens(int per100_000, Random random) {
            return random.nextInt(100_000) < per100_000;
        }
    }

    /** After how many deliveries it is looked what is known of duplicates meanwhile. */
    private static final long LOOK_EVERY = 997;

    /** A topic with everything that happens to its messages. */
    private static final class Scenario {

        long known;
        final Random random;
        final int producers;
        final int partitions;
        final int consumers;
        final boolean consumersOwnPartitions;
        final Faults faults;
        final AuditedTopic topic;
        final Model model = new Model();
        final long[] sent;
        final List<Set<Long>> failed = new ArrayList<>();
        final PriorityQueue<Redelivery> redeliveries =
                new PriorityQueue<>(Comparator.comparingLong(Redelivery::afterDeliveries));

        Scenario(long seed, int workers) {
            random = new Random(seed);
            producers = 1 + random.nextInt(3);
            partitions = 1 + random.nextInt(4);
            consumers = 1 + random.nextInt(4);
            consumersOwnPartitions = random.nextBoolean();
            faults = Faults.random(random);
            topic = new AuditedTopic(producers, partitions, consumers, workers);
            sent = new long[producers];
        }

        void run() {
            List<List<Message>> queues = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                queues.add(new ArrayList<>());
            }
            send(queues);
            queues.forEach(this::swapSome);
            deliverAll(queues);
            for (int producer = 0; producer < producers; producer++) {
                // Numbers that were never sent.
                for (int i = random.nextInt(4); i > 0; i--) {
                    deliver(new Message(producer, sent[producer] + i * 10_000L, 0), 0);
                }
            }
        }

        private void send(List<List<Message>> queues) {
            int messages = 1 + random.nextInt(60_000);
            for (int producer = 0; producer < producers; producer++) {
                failed.add(new HashSet<>());
            }
            for (int i = 0; i < messages; i++) {
                for (int producer = 0; producer < producers; producer++) {
                    long sequence = topic.producer(producer).nextSequence();
                    sent[producer] = sequence + 1;
                    boolean arrives = !Faults.happens(faults.lost, random);
                    if (Faults.happens(faults.failed, random)) {
                        topic.producer(producer).failed(sequence);
                        failed.get(producer).add(sequence);
                        arrives = random.nextInt(100_000) < faults.failedButReceived;
                    }
                    if (arrives) {
                        int partition = random.nextInt(partitions);
                        queues.get(partition).add(new Message(producer, sequence, partition));
                    }
                }
            }
        }

        private void swapSome(List<Message> queue) {
            for (int i = 0; i + 1 < queue.size(); i++) {
                if (Faults.happens(faults.swapped, random)) {
                    int with = Math.min(queue.size() - 1, i + 1 + random.nextInt(5));
                    Message message = queue.get(i);
                    queue.set(i, queue.get(with));
                    queue.set(with, message);
                }
            }
        }

        /** Partitions come in bursts, so that they drift apart, now by little and now by many pages. */
        private void deliverAll(List<List<Message>> queues) {
            int[] next = new int[queues.size()];
            int longestBurst = random.nextBoolean() ? 10 : 20_000;
            for (boolean more = true; more; ) {
                int partition = random.nextInt(queues.size());
                List<Message> queue = queues.get(partition);
                for (int burst = 1 + random.nextInt(longestBurst);
                        burst > 0 && next[partition] < queue.size();
                        burst--) {
                    deliver(queue.get(next[partition]++));
                }
                more = false;
                for (int i = 0; i < next.length; i++) {
                    more |= next[i] < queues.get(i).size();
                }
            }
            while (!redeliveries.isEmpty()) {
                redeliver(redeliveries.remove());
            }
        }

        private void deliver(Message message) {
            int consumer = consumersOwnPartitions ? message.partition % consumers : random.nextInt(consumers);
            deliver(message, consumer);
            if (Faults.happens(faults.redelivered, random)) {
                int[] delays = {0, 1, 100, 5_000, 50_000, 1_000_000};
                int delay = delays[random.nextInt(delays.length)];
                int to = random.nextBoolean() ? consumer : random.nextInt(consumers);
                redeliveries.add(new Redelivery(model.received + delay, message, to));
                if (random.nextInt(4) == 0) {
                    redeliveries.add(new Redelivery(model.received + delay * 2L, message, to));
                }
            }
            while (!redeliveries.isEmpty() && redeliveries.element().afterDeliveries <= model.received) {
                redeliver(redeliveries.remove());
            }
        }

        /**
         * What one consumer got out of order and another one got as well is counted as duplicated only, because none of
         * the two knows which came first; so that is left out.
         */
        private void redeliver(Redelivery redelivery) {
            if (!model.arrivedLate.contains(redelivery.message)) {
                deliver(redelivery.message, redelivery.consumer);
            }
        }

        private void deliver(Message message, int consumer) {
            topic.consumer(consumer).note(message.producer, message.sequence, message.partition);
            model.deliver(message, consumer);
            if (model.received % LOOK_EVERY == 0) {
                long soFar = topic.duplicatedSoFar();
                assertThat(soFar).as("known after %d: %s", model.received, this).isBetween(known, model.duplicated);
                known = soFar;
            }
        }

        AuditReport.SubscriptionReport expected() {
            long expected = 0;
            long lost = 0;
            List<String> gaps = new ArrayList<>();
            Set<List<Long>> arrived = new HashSet<>();
            model.arrived.forEach(message -> arrived.add(List.of((long) message.producer, message.sequence)));
            for (int producer = 0; producer < producers; producer++) {
                long gapFrom = -1;
                for (long sequence = 0; sequence <= sent[producer]; sequence++) {
                    boolean isLost = sequence < sent[producer]
                            && !failed.get(producer).contains(sequence)
                            && !arrived.contains(List.of((long) producer, sequence));
                    if (isLost) {
                        lost++;
                        gapFrom = gapFrom < 0 ? sequence : gapFrom;
                    } else if (gapFrom >= 0) {
                        String range = gapFrom == sequence - 1 ? "" + gapFrom : gapFrom + ".." + (sequence - 1);
                        gaps.add("producer " + producer + ": " + range);
                        gapFrom = -1;
                    }
                }
                expected += sent[producer] - failed.get(producer).size();
            }
            return AuditFixture.subscription(
                    0,
                    expected,
                    model.received,
                    lost,
                    model.duplicated,
                    model.outOfOrder,
                    count(message -> failed.get(message.producer).contains(message.sequence)),
                    count(message -> message.sequence >= sent[message.producer]),
                    gaps.subList(0, Math.min(10, gaps.size())));
        }

        private long count(Predicate<Message> condition) {
            return model.arrived.stream().filter(condition).count();
        }

        @Override
        public String toString() {
            return "%d producers, %d partitions, %d consumers%s, %s"
                    .formatted(
                            producers,
                            partitions,
                            consumers,
                            consumersOwnPartitions ? " with partitions of their own" : "",
                            faults);
        }
    }

    private static AuditReport.SubscriptionReport compare(int seed, int workers) {
        Scenario scenario = new Scenario(seed, workers);
        scenario.run();
        AuditReport.SubscriptionReport expected = scenario.expected();
        assertThat(scenario.topic.report()).as("seed %d: %s", seed, scenario).isEqualTo(expected);
        return expected;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAuditCountsWhatAModelCountsAndEveryFaultHappens(int workers) {
        List<AuditReport.SubscriptionReport> all = new ArrayList<>();
        for (int seed = 0; seed < FEW; seed++) {
            all.add(compare(seed, workers));
        }
        assertThat(all).anyMatch(expected -> expected.duplicated() > 0);
        assertThat(all).anyMatch(expected -> expected.outOfOrder() > 0);
        assertThat(all).anyMatch(expected -> expected.lost() > 0);
        assertThat(all).anyMatch(expected -> expected.failedButReceived() > 0);
    }

    @LongSuite("takes four times as many scenarios")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAuditCountsWhatAModelCountsInManyScenarios(int workers) {
        for (int seed = FEW; seed < 4 * FEW; seed++) {
            compare(seed, workers);
        }
    }
}
