package io.openmessaging.benchmark.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The value of a record's component if its key is absent and no key that excludes it is present. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {

    /** The value as written in a file; {@code []} and {@code {}} for the empty list and the empty mapping. */
    String value();

    /** True if the component stays null nevertheless and a method of the record returns the default. */
    boolean told() default false;
}
