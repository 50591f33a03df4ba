package io.openmessaging.benchmark.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keys that a record does not have but that occur in files for another program, with advice on what to write instead.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ForeignKey.All.class)
public @interface ForeignKey {

    /** The keys. */
    String[] value();

    /** The sentence after the key's name, such as {@code is a key of a fork, here …}. */
    String hint();

    /** The record's own keys that they stand for: these are not reported as missing. */
    String[] meant() default {};

    /** Container for several annotations. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {

        /** The annotations, each with its own hint. */
        ForeignKey[] value();
    }
}
