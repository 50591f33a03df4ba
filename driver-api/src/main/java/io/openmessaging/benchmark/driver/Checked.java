package io.openmessaging.benchmark.driver;

/** A configuration record that reports all problems of its values at once. */
public interface Checked {

    /** Adds a problem for each rule that a value breaks. */
    void check(Problems problems);
}
