/**
 * What a study claims, and whether measurements bear it out.
 *
 * <p>{@link io.openmessaging.benchmark.claims.ExpressionParser} reads the small language of claims, {@link
 * io.openmessaging.benchmark.claims.ClaimNames} looks up the names in it, {@link
 * io.openmessaging.benchmark.claims.ClaimJudge} decides by confidence intervals; none of them touches a file.
 */
package io.openmessaging.benchmark.claims;
