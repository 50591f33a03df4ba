/**
 * The audit: finds messages that were lost, duplicated or out of order.
 *
 * <p>Every producer numbers its messages from 0. {@link io.openmessaging.benchmark.audit.ConsumerAudit} notes on the
 * receiving thread which numbers arrived, cheaply while they arrive in order; {@link
 * io.openmessaging.benchmark.audit.SubscriptionAudit} merges the notes of a subscription's consumers; {@link
 * io.openmessaging.benchmark.audit.ProducerAudit} knows what was sent and refused. {@link
 * io.openmessaging.benchmark.audit.AuditReport} is the result of the comparison.
 */
package io.openmessaging.benchmark.audit;
