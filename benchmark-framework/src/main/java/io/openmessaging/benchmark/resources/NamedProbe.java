package io.openmessaging.benchmark.resources;

/** A probe that is told whose resources it reads. */
abstract class NamedProbe implements ResourceProbe {

    private final String name;
    private final Role role;

    NamedProbe(String name, Role role) {
        this.name = name;
        this.role = role;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Role role() {
        return role;
    }
}
