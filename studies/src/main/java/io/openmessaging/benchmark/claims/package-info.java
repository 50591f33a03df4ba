/**
 * The claims of a study, and whether measurements support them.
 *
 * <p>{@link io.openmessaging.benchmark.claims.ExpressionParser} parses the small language of claims, {@link
 * io.openmessaging.benchmark.claims.ClaimNames} looks up the names in it, {@link
 * io.openmessaging.benchmark.claims.ClaimJudge} decides by confidence intervals; none of them reads or writes a file.
 */
package io.openmessaging.benchmark.claims;
