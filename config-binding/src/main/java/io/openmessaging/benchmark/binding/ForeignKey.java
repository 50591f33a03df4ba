package io.openmessaging.benchmark.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Keys that a record does not have and that files which people bring from another program do: what to write instead. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(ForeignKey.All.class)
public @interface ForeignKey {

    /** The keys. */
    String[] value();

    /** The sentence behind the key's name, such as {@code is a key of a fork, here …}. */
    String hint();

    /** The record's own keys in whose place they stand: of these, nothing is said to be missing. */
    String[] meant() default {};

    /** Several of them. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {

        /** Each with a hint of its own. */
        ForeignKey[] value();
    }
}
