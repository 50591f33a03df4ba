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

    /** The part of the message after the other key's name, such as {@code , which says the same}. */
    String because() default "";

    /** True if the keys are alternatives: when keys are laid over others, each of the two replaces the other. */
    boolean eitherOr() default false;

    /** Container for several annotations. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface All {

        /** The annotations, each with its own reason. */
        AbsentWith[] value();
    }
}
