package io.openmessaging.benchmark.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** A method of a contract that the default suite runs in every mode, including a {@link Variant}. */
@Tag("smoke")
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Smoke {}
