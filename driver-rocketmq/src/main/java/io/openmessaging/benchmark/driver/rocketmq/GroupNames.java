package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.ConsumerSpec;
import java.util.regex.Pattern;

/** Names the consumer groups of a run. */
final class GroupNames {

    private static final Pattern NOT_ALLOWED = Pattern.compile("[^%|a-zA-Z0-9_-]");

    private GroupNames() {}

    /** The group of a subscription; other than RocketMQ's consumer groups, a subscription belongs to one topic. */
    static String of(String runId, ConsumerSpec spec) {
        String name = runId + "-" + spec.topic().name() + "-" + spec.subscription();
        return NOT_ALLOWED.matcher(name).replaceAll("_");
    }
}
