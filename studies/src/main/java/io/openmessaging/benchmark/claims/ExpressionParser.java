package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Arithmetic;
import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Operator;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reckoned;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Side;
import io.openmessaging.benchmark.claims.Expression.Trend;
import io.openmessaging.benchmark.claims.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads expressions by recursive descent; docs/PLANS.md has the grammar, and each method here is a rule of it. What names
 * mean is not known here.
 */
final class ExpressionParser {

    /** What {@code flat} allows if it does not say. */
    static final double DEFAULT_WITHIN_PERCENT = 10;

    private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE]-?[0-9]{1,3})?");

    private static final Map<String, Direction> DIRECTIONS =
            Map.of("rises", Direction.RISES, "falls", Direction.FALLS, "flat", Direction.FLAT);

    private final List<Token> tokens;
    private int at;

    private ExpressionParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** Reads a whole text. */
    static Expression parse(String text) throws ExpressionException {
        ExpressionParser parser = new ExpressionParser(Token.of(text));
        List<Part> parts = new ArrayList<>();
        do {
            parts.add(parser.part());
        } while (parser.taken("and"));
        if (parser.next().kind() != Kind.END) {
            throw parser.expected("'and' or the end");
        }
        return new Expression(List.copyOf(parts));
    }

    private Part part() throws ExpressionException {
        Direction direction = DIRECTIONS.get(next().text());
        if (direction != null && next().kind() == Kind.WORD) {
            at++;
            return trend(direction);
        }
        Side left = side();
        Operator operator = Stream.of(Operator.values())
                .filter(each -> next().is(each.toString()))
                .findFirst()
                .orElseThrow(() -> expected("one of > < >= <="));
        at++;
        return new Comparison(left, operator, side());
    }

    private Trend trend(Direction direction) throws ExpressionException {
        double withinPercent = DEFAULT_WITHIN_PERCENT;
        if (direction == Direction.FLAT && taken("within")) {
            withinPercent = number();
            require("%");
        }
        require("(");
        Reference reference = reference();
        if (!reference.open()) {
            throw new ExpressionException(
                    reference.caseName().column(), "a trend goes over several cases, its reference needs a '*' there");
        }
        require(")");
        return new Trend(direction, withinPercent, reference);
    }

    private Side side() throws ExpressionException {
        Side side = term();
        while (next().is("+") || next().is("-")) {
            Arithmetic arithmetic = next().is("+") ? Arithmetic.PLUS : Arithmetic.MINUS;
            at++;
            side = new Reckoned(side, arithmetic, term());
        }
        return side;
    }

    private Side term() throws ExpressionException {
        Side side = factor();
        while (next().is("*") || next().is("/")) {
            Arithmetic arithmetic = next().is("*") ? Arithmetic.TIMES : Arithmetic.DIVIDED_BY;
            at++;
            side = new Reckoned(side, arithmetic, factor());
        }
        return side;
    }

    private Side factor() throws ExpressionException {
        if (next().kind() == Kind.WORD && !tokens.get(at + 1).is("(")) {
            return new Expression.Number(number());
        }
        return reference();
    }

    private double number() throws ExpressionException {
        Token token = next();
        if (token.kind() != Kind.WORD || !NUMBER.matcher(token.text()).matches()) {
            throw expected("a number or a reference such as metric(experiment, system, case)");
        }
        at++;
        return Double.parseDouble(token.text());
    }

    private Reference reference() throws ExpressionException {
        Name metric = name("a metric");
        require("(");
        Name experiment = name("an experiment");
        require(",");
        Name system = name("a system");
        require(",");
        Name caseName = next().is("*") ? new Name("*", tokens.get(at++).column()) : name("a case");
        require(")");
        return new Reference(metric, experiment, system, caseName);
    }

    private Name name(String what) throws ExpressionException {
        Token token = next();
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED) {
            throw expected(what);
        }
        at++;
        return new Name(token.text(), token.column());
    }

    private Token next() {
        return tokens.get(at);
    }

    private boolean taken(String word) {
        boolean there = next().is(word);
        at += there ? 1 : 0;
        return there;
    }

    private void require(String sign) throws ExpressionException {
        if (!taken(sign)) {
            throw expected("'" + sign + "'");
        }
    }

    private ExpressionException expected(String what) {
        return new ExpressionException(next().column(), "must be " + what + " there, is " + next().shown());
    }
}
