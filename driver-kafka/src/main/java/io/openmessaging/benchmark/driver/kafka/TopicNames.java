package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What Kafka calls the topics of a run.
 *
 * @param existing topics that take the places of the run's own, in the order of their numbers; empty for none
 */
record TopicNames(List<String> existing) {

    boolean areExisting() {
        return !existing.isEmpty();
    }

    /** The same on each worker, since the name of a topic of a run ends with the topic's number. */
    TopicSpec of(TopicSpec topic) throws DriverException {
        if (!areExisting()) {
            return topic;
        }
        String number = topic.name().substring(topic.name().lastIndexOf('-') + 1);
        int index = number.matches("\\d{1,9}") ? Integer.parseInt(number) : Integer.MAX_VALUE;
        if (index >= existing.size()) {
            throw new DriverException("Could not use the topic '" + topic.name() + "': existingTopics names only "
                    + existing.size() + (existing.size() == 1 ? " topic" : " topics"));
        }
        return new TopicSpec(existing.get(index), topic.partitions());
    }

    List<TopicSpec> of(List<TopicSpec> topics) throws DriverException {
        List<TopicSpec> called = new ArrayList<>();
        for (TopicSpec topic : topics) {
            called.add(of(topic));
        }
        return called;
    }
}
