package io.openmessaging.benchmark.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * The class runs a contract in a mode that is not the main one of its driver. The default suite runs only those of its
 * methods that are {@link Smoke}; {@code bin/test --all} runs all.
 */
@Tag("variant")
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Variant {}
