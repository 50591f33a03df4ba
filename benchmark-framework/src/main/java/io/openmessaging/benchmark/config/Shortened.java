package io.openmessaging.benchmark.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a duration or a number of messages that a {@link TimeScale} shortens. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Shortened {

    /** The lower limit of shortening, as written in a file; smaller values are left as they are. */
    String least();
}
