package io.openmessaging.benchmark.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a record's component is if its key is absent and no other key is there that excludes it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {

    /** As a file has it; {@code []} and {@code {}} for the empty list and the empty mapping. */
    String value();

    /** Whether the component is null nevertheless, and a method of the record tells the default. */
    boolean told() default false;
}
