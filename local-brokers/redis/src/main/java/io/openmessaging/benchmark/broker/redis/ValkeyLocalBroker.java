package io.openmessaging.benchmark.broker.redis;

import io.openmessaging.benchmark.program.ProgramPath;

/** Starts Valkey, a fork of Redis that is started and configured in the same way. */
public final class ValkeyLocalBroker extends RedisLocalBroker {

    /** Uses the programs of this machine. */
    public ValkeyLocalBroker() {
        super("valkey", "Valkey", ProgramPath.ofThisMachine());
    }
}
