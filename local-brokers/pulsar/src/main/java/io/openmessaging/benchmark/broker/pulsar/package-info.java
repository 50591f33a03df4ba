/** Apache Pulsar in one process, broker and bookies together, as a local broker. */
@NullMarked
package io.openmessaging.benchmark.broker.pulsar;

import org.jspecify.annotations.NullMarked;
