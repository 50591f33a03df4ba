/** What faults did to a system, from when it answered. Pure: from counts to outcomes. */
@NullMarked
package io.openmessaging.benchmark.judge.outage;

import org.jspecify.annotations.NullMarked;
