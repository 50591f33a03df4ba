package io.openmessaging.benchmark.binding;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Keys of the same mapping that exclude the key of a record's component. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@Repeatable(AbsentWith.All.class)
public @interface AbsentWith {

    /** The other keys. */
    String[] value();

    /** What the message says behind the other key's name, such as {@code , which says the same}. */
    String because() default "";

    /** Whether it is one or the other: where keys are put over keys, either of both takes the place of the other. */
    boolean eitherOr() default false;

    /** Several of them. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface All {

        /** Each with a reason of its own. */
        AbsentWith[] value();
    }
}
