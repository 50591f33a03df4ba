/** Serves the live page over HTTP, with events that browsers follow. The run never waits for it. */
package io.openmessaging.benchmark.live.page;
