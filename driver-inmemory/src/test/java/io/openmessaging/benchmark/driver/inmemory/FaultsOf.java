package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.ConfigRecords;
import java.util.List;
import java.util.Map;

/** Builder of faults, with only those that a test is about. */
final class FaultsOf {

    private long loseEvery;
    private List<Long> lose = List.of();
    private long duplicateEvery;
    private List<Long> duplicate = List.of();
    private long swapEvery;
    private List<Long> swap = List.of();
    private long damageEvery;
    private List<Long> damage = List.of();
    private long failEvery;
    private List<Long> fail = List.of();
    private long failAfter;
    private long pollErrorEvery;
    private long fatalAfter;
    private int onlyPayloadBytes;

    static FaultsOf none() {
        return new FaultsOf();
    }

    FaultsOf loseEvery(long n) {
        loseEvery = n;
        return this;
    }

    FaultsOf lose(Long... indexes) {
        lose = List.of(indexes);
        return this;
    }

    FaultsOf duplicateEvery(long n) {
        duplicateEvery = n;
        return this;
    }

    FaultsOf duplicate(Long... indexes) {
        duplicate = List.of(indexes);
        return this;
    }

    FaultsOf swapEvery(long n) {
        swapEvery = n;
        return this;
    }

    FaultsOf swap(Long... indexes) {
        swap = List.of(indexes);
        return this;
    }

    FaultsOf damageEvery(long n) {
        damageEvery = n;
        return this;
    }

    FaultsOf damage(Long... indexes) {
        damage = List.of(indexes);
        return this;
    }

    FaultsOf failEvery(long n) {
        failEvery = n;
        return this;
    }

    FaultsOf fail(Long... indexes) {
        fail = List.of(indexes);
        return this;
    }

    FaultsOf failAfter(long n) {
        failAfter = n;
        return this;
    }

    FaultsOf pollErrorEvery(long n) {
        pollErrorEvery = n;
        return this;
    }

    FaultsOf fatalAfter(long n) {
        fatalAfter = n;
        return this;
    }

    FaultsOf onlyPayloadBytes(int bytes) {
        onlyPayloadBytes = bytes;
        return this;
    }

    Faults build() {
        return new Faults(
                loseEvery,
                lose,
                duplicateEvery,
                duplicate,
                swapEvery,
                swap,
                damageEvery,
                damage,
                failEvery,
                fail,
                failAfter,
                pollErrorEvery,
                fatalAfter,
                onlyPayloadBytes);
    }

    /** Returns the same configuration with these faults. */
    InMemoryConfig in(InMemoryConfig config) {
        return ConfigRecords.with(config, Map.of("faults", build()));
    }
}
