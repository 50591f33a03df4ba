package io.openmessaging.benchmark.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Between what a record's component has to be, a number or a duration. A component that is null is not looked at. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {

    /** The least value as a file has it; empty for none. */
    String from() default "";

    /** The highest value as a file has it; empty for none. */
    String to() default "";

    /** Whether 0 is allowed although it is below the least value. */
    boolean orZero() default false;
}
