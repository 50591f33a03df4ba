package io.openmessaging.benchmark.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The permitted range of a record's component, a number or a duration. A null component is not checked. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {

    /** The minimum as written in a file; empty for none. */
    String from() default "";

    /** The maximum as written in a file; empty for none. */
    String to() default "";

    /** True if 0 is permitted although it is below the minimum. */
    boolean orZero() default false;
}
