package io.openmessaging.benchmark.driver;

/** A configuration record that can tell what is wrong with its values, all of it at once. */
public interface Checked {

    /** Adds a problem for each rule that a value breaks. */
    void check(Problems problems);
}
