package io.openmessaging.benchmark.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Side;
import io.openmessaging.benchmark.claims.Expression.Trend;
import java.text.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionParserTest {

    /** A reference whose names start in the given columns, counted from 1. */
    private static Reference reference(String metric, String caseName, int column, int caseColumn) {
        return new Reference(
                new Name(metric, column - 1),
                new Name("e", column + metric.length()),
                new Name("k", column + metric.length() + 2),
                new Name(caseName, caseColumn - 1));
    }

    private static Comparison comparison(String text) throws ParseException {
        return (Comparison) ExpressionParser.parse(text).parts().get(0);
    }

    private static Interval value(Side side) throws Exception {
        return side.in(reference -> Interval.of(100));
    }

    @Test
    void aComparisonKnowsItsOperatorAndWhereEachNameIs() throws Exception {
        Comparison comparison = comparison("p99(e,k,*) >= rate(e,k,\"1 KB\")");
        assertThat(comparison.operator()).isEqualTo(">=");
        assertThat(comparison.references())
                .containsExactly(reference("p99", "*", 1, 9), reference("rate", "1 KB", 15, 24));
    }

    @Test
    void timesBindsCloserThanPlusAndBothGoFromLeftToRight() throws Exception {
        assertThat(value(comparison("1 + 2 * 3 / .5 - 4e-1 < 7").left())).isEqualTo(Interval.of(12.6));
        assertThat(value(comparison("7 > 24 / 4 / 2 - 2 - 1").right())).isEqualTo(Interval.of(0));
    }

    @Test
    void aStarIsACaseInAReferenceAndAProductOutsideOfOne() throws Exception {
        Comparison comparison = comparison("m(e,k,*) > 2 * m(e,k,*)");
        assertThat(comparison.references()).containsExactly(reference("m", "*", 1, 7), reference("m", "*", 16, 22));
        assertThat(value(comparison.left())).isEqualTo(Interval.of(100));
        assertThat(value(comparison.right())).isEqualTo(Interval.of(200));
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
        Comparison comparison = comparison("m(own-app, kafka-2.1, \"10 \\\"B\\\" × 1\") - 1 > 0");
        assertThat(comparison.references()).singleElement().satisfies(reference -> {
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
                "``                      | 1  | expected a metric, found the end",
                "m(e,k,*)                | 9  | expected one of > < >= <=, found the end",
                "m(e,k,*) > 1 1          | 14 | expected 'and' or the end, found '1'",
                "m(e,k,*) > 1 and        | 17 | expected a metric, found the end",
                "m(e,k) > 1              | 6  | expected ',', found ')'",
                "m(e,,c) > 1             | 5  | expected a system, found ','",
                "m(e,k,c > 1             | 9  | expected ')', found '>'",
                "m > 1                   | 1  | expected a number or a reference such as metric(experiment, system, case), found 'm'",
                "rises(m(e,k,c))         | 13 | a trend covers several cases: its reference needs a '*' here",
                "flat within (m(e,k,*))  | 13 | expected a number or a reference such as metric(experiment, system, case), found '('",
                "flat within 5 (m(e,k,*))| 15 | expected '%', found '('",
                "m(e,k,10 KB) > 1        | 10 | expected ')', found 'KB'",
                "m(e,k,\"c) > 1          | 7  | a quote that is not closed",
                "m(e,k,c) = 1            | 10 | '=' is not part of an expression; put names with such characters in double quotes",
                "m(e,k,c) > 4-2          | 12 | expected a number or a reference such as metric(experiment, system, case), found '4-2'",
            })
    void whatIsWrongIsSaidWithTheColumn(String text, int column, String message) {
        assertThatThrownBy(() -> ExpressionParser.parse(text.strip()))
                .isInstanceOfSatisfying(
                        ParseException.class,
                        e -> assertThat(e.getErrorOffset() + 1).isEqualTo(column))
                .hasMessage(message);
    }
}
