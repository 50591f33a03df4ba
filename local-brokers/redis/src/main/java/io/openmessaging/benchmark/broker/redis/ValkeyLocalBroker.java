package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.program.ProgramPath;

/** Starts Valkey, which began as a copy of Redis and is started and configured like it. */
public final class ValkeyLocalBroker extends RedisLocalBroker {

    /** With the programs of this machine. */
    public ValkeyLocalBroker() {
        super("valkey", "Valkey", ProgramPath.ofThisMachine());
    }
}
