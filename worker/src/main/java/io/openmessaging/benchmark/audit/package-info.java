/**
 * Which messages arrived: lost, duplicated, out of order.
 *
 * <p>Every producer numbers its messages from 0. {@link io.openmessaging.benchmark.audit.ConsumerAudit} notes on the
 * receiving thread which numbers came, cheaply while they come in order; {@link
 * io.openmessaging.benchmark.audit.SubscriptionAudit} puts together what the consumers of a subscription have noted;
 * {@link io.openmessaging.benchmark.audit.ProducerAudit} knows what was sent and refused. {@link
 * io.openmessaging.benchmark.audit.AuditReport} is the comparison.
 */
package io.openmessaging.benchmark.audit;
