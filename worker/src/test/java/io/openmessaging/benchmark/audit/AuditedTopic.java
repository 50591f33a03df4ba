package io.openmessaging.benchmark.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A topic with one subscription, audited as in a run; its consumers may be spread over workers. */
final class AuditedTopic {

    private static final String NAME = "topic";

    private final List<ProducerAudit> producers;
    private final List<SubscriptionAudit> subscriptionOfWorker;
    private final List<ConsumerAudit> consumers = new ArrayList<>();

    AuditedTopic(int producerCount, int partitions, int consumerCount, int workers) {
        producers =
                IntStream.range(0, producerCount).mapToObj(ProducerAudit::new).toList();
        subscriptionOfWorker = IntStream.range(0, workers)
                .mapToObj(worker -> new SubscriptionAudit(NAME, 0))
                .toList();
        for (int consumer = 0; consumer < consumerCount; consumer++) {
            SubscriptionAudit subscription = subscriptionOfWorker.get(consumer % workers);
            consumers.add(new ConsumerAudit(subscription, 0, producerCount, partitions));
        }
    }

    /** Creates a topic with one producer, one partition and one consumer. */
    static AuditedTopic ofOne() {
        return new AuditedTopic(1, 1, 1, 1);
    }

    ProducerAudit producer(int producer) {
        return producers.get(producer);
    }

    ConsumerAudit consumer(int consumer) {
        return consumers.get(consumer);
    }

    void sent(int producer, long messages) {
        for (long i = 0; i < messages; i++) {
            producers.get(producer).nextSequence();
        }
    }

    /** Delivers messages of producer 0 from partition 0 to consumer 0. */
    void received(long... sequences) {
        for (long sequence : sequences) {
            consumers.get(0).note(0, sequence, 0);
        }
    }

    void receivedRange(long from, long to) {
        for (long sequence = from; sequence < to; sequence++) {
            consumers.get(0).note(0, sequence, 0);
        }
    }

    /** Returns the duplicates known while consumers are open, over all workers. */
    long duplicatedSoFar() {
        return subscriptionOfWorker.stream()
                .mapToLong(SubscriptionAudit::duplicatedSoFar)
                .sum();
    }

    /** Ends the search, to which everything sent so far belongs. */
    void endSearch() {
        long[] measuredFrom =
                producers.stream().mapToLong(ProducerAudit::endSearch).toArray();
        subscriptionOfWorker.forEach(audit -> audit.endSearch(measuredFrom));
    }

    /** Closes the consumers in order; returns the report of the measurement. */
    AuditReport.SubscriptionReport report() {
        return compare().get(0);
    }

    /** Closes the consumers in order; returns the reports of the measurement and of the search. */
    List<AuditReport.SubscriptionReport> compare() {
        consumers.forEach(ConsumerAudit::close);
        List<AuditPart> parts = new ArrayList<>();
        parts.add(
                new AuditPart(producers.stream().map(ProducerAudit::dispatches).toList(), List.of()));
        subscriptionOfWorker.forEach(audit -> parts.add(new AuditPart(List.of(), List.of(audit.arrivals()))));
        List<Integer> numbers = producers.stream().map(ProducerAudit::producer).toList();
        Map<String, List<Integer>> topics = Map.of(NAME, numbers);
        return Stream.of(
                        AuditReport.of(parts, topics, 1, AuditReport.WaitEnd.SETTLED),
                        AuditReport.ofSearch(parts, topics, 1, AuditReport.WaitEnd.SETTLED))
                .map(report -> report.subscriptions().get(0))
                .toList();
    }
}
