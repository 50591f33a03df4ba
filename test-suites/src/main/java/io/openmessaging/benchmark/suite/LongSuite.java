package io.openmessaging.benchmark.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** The test runs only in {@code bin/test --all}. */
@Tag("long")
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface LongSuite {

    /** Reason that it is not in the default suite, such as "starts a cluster of three nodes". */
    String value();
}
