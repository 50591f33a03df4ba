package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.claims.Expression.Arithmetic;
import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Number;
import io.openmessaging.benchmark.claims.Expression.Operator;
import io.openmessaging.benchmark.claims.Expression.Reckoned;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Trend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionParserTest {

    private static Reference reference(String metric, String caseName, int column, int caseColumn) {
        return new Reference(
                new Name(metric, column),
                new Name("e", column + metric.length() + 1),
                new Name("k", column + metric.length() + 3),
                new Name(caseName, caseColumn));
    }

    @Test
    void aComparisonKnowsItsSidesAndWhereEachNameIs() throws Exception {
        assertThat(ExpressionParser.parse("p99(e,k,*) >= rate(e,k,\"1 KB\")").parts())
                .containsExactly(new Comparison(
                        reference("p99", "*", 1, 9), Operator.GREATER_OR_EQUAL, reference("rate", "1 KB", 15, 24)));
    }

    @Test
    void timesBindsCloserThanPlusAndBothGoFromLeftToRight() throws Exception {
        Comparison comparison = (Comparison)
                ExpressionParser.parse("1 + 2 * 3 / .5 - 4e-1 < 7").parts().get(0);
        assertThat(comparison.left())
                .isEqualTo(new Reckoned(
                        new Reckoned(
                                new Number(1),
                                Arithmetic.PLUS,
                                new Reckoned(
                                        new Reckoned(new Number(2), Arithmetic.TIMES, new Number(3)),
                                        Arithmetic.DIVIDED_BY,
                                        new Number(0.5))),
                        Arithmetic.MINUS,
                        new Number(0.4)));
    }

    @Test
    void aStarIsACaseInAReferenceAndAProductOutsideOfOne() throws Exception {
        Comparison comparison = (Comparison)
                ExpressionParser.parse("m(e,k,*) > 2 * m(e,k,*)").parts().get(0);
        assertThat(comparison.right())
                .isEqualTo(new Reckoned(new Number(2), Arithmetic.TIMES, reference("m", "*", 16, 22)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rises(m(e,k,*))             | RISES | 10",
                "falls (m(e,k,*))            | FALLS | 10",
                "flat(m(e,k,*))              | FLAT  | 10",
                "flat within 5%(m(e,k,*))    | FLAT  | 5",
                "flat within 2.5 % (m(e,k,\"10 B x *\")) | FLAT | 2.5",
            })
    void trendsGoOverCases(String text, Direction direction, double within) throws Exception {
        assertThat(ExpressionParser.parse(text).parts()).singleElement().satisfies(part -> {
            Trend trend = (Trend) part;
            assertThat(trend.direction()).isEqualTo(direction);
            assertThat(trend.withinPercent()).isEqualTo(within);
            assertThat(trend.reference().open()).isTrue();
        });
    }

    @Test
    void partsAreJoinedByAnd() throws Exception {
        assertThat(ExpressionParser.parse("1 < 2 and rises(m(e,k,*)) and 3 <= 4")
                        .parts())
                .hasSize(3);
    }

    @Test
    void namesMayHaveAMinusAndAnythingInQuotes() throws Exception {
        Expression expression = ExpressionParser.parse("m(own-app, kafka-2.1, \"10 \\\"B\\\" × 1\") - 1 > 0");
        assertThat(expression.references()).singleElement().satisfies(reference -> {
            assertThat(reference.experiment().text()).isEqualTo("own-app");
            assertThat(reference.system().text()).isEqualTo("kafka-2.1");
            assertThat(reference.caseName().text()).isEqualTo("10 \"B\" × 1");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                      | 1  | must be a metric there, is the end",
                "m(e,k,*)                | 9  | must be one of > < >= <= there, is the end",
                "m(e,k,*) > 1 1          | 14 | must be 'and' or the end there, is '1'",
                "m(e,k,*) > 1 and        | 17 | must be a metric there, is the end",
                "m(e,k) > 1              | 6  | must be ',' there, is ')'",
                "m(e,,c) > 1             | 5  | must be a system there, is ','",
                "m(e,k,c > 1             | 9  | must be ')' there, is '>'",
                "m > 1                   | 1  | must be a number or a reference such as metric(experiment, system, case) there, is 'm'",
                "rises(m(e,k,c))         | 13 | a trend goes over several cases, its reference needs a '*' there",
                "flat within (m(e,k,*))  | 13 | must be a number or a reference such as metric(experiment, system, case) there, is '('",
                "flat within 5 (m(e,k,*))| 15 | must be '%' there, is '('",
                "m(e,k,10 KB) > 1        | 10 | must be ')' there, is 'KB'",
                "m(e,k,\"c) > 1          | 7  | a quote that does not end",
                "m(e,k,c) = 1            | 10 | '=' is no part of an expression; names with such signs are written in double quotes",
                "m(e,k,c) > 4-2          | 12 | must be a number or a reference such as metric(experiment, system, case) there, is '4-2'",
            })
    void whatIsWrongIsSaidWithTheColumn(String text, int column, String message) {
        assertThatThrownBy(() -> ExpressionParser.parse(text.strip()))
                .isInstanceOfSatisfying(
                        ExpressionException.class, e -> assertThat(e.column()).isEqualTo(column))
                .hasMessage(message);
    }
}
