package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Where a message has to be before it counts as acknowledged, beside the memory of the server that has taken it. Redis is
 * asked with {@code WAIT}, or {@code WAITAOF} for what is on the disk; both are about all commands before them on a
 * connection.
 *
 * @param replicas how many replicas must have the message; with {@code aof}, on their disk
 * @param aof whether the message must be on the disk in the append-only file of the server as well (since Redis 7.2)
 * @param timeout how long Redis waits for that; a message that is elsewhere too late has failed, although it may arrive
 */
public record AcknowledgeAfter(
        @Default("0") @Range(from = "0", to = "1_000") int replicas,
        @Default("false") boolean aof,
        @Default("1s") @Range(from = "1ms", to = "1h") Duration timeout)
        implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(replicas > 0 || aof, "replicas", "must be at least 1, unless aof is true", replicas);
    }

    /**
     * What to ask behind the commands that it is about; the answer to the last question decides.
     *
     * <p>A replica tells how far it has got before it syncs what it was just sent, and again a second later. So one that syncs
     * at once is asked twice: the answer to {@code WAIT} comes behind the sync, and {@code WAITAOF} finds it done.
     */
    List<CommandArguments> questions() {
        CommandArguments replicated =
                new CommandArguments(Command.WAIT).add(replicas).add(timeout.toMillis());
        return aof && replicas > 0 ? List.of(replicated, question()) : List.of(question());
    }

    /** The question whose answer decides. */
    public CommandArguments question() {
        CommandArguments command =
                aof ? new CommandArguments(Command.WAITAOF).add(1) : new CommandArguments(Command.WAIT);
        return command.add(replicas).add(timeout.toMillis());
    }

    /**
     * What the answer says of these commands.
     *
     * @return null if all is well, else what is missing
     */
    public @Nullable IOException shortfall(@Nullable Object answer) {
        List<?> counts = aof ? (List<?>) answer : null;
        Object confirmed = counts == null ? answer : counts.get(1);
        String where = aof ? " on the disk" : "";
        String late = " within " + timeout.toMillis() + " ms; Redis has the message in memory";
        if (counts != null && !Long.valueOf(1).equals(counts.get(0))) {
            return new IOException("the append-only file was not on the disk" + late);
        }
        return confirmed instanceof Long count && count >= replicas
                ? null
                : new IOException("only " + confirmed + " of " + replicas + " replicas had the message" + where + late);
    }
}
