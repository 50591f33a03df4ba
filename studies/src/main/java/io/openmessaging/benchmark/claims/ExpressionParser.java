package io.openmessaging.benchmark.claims;

import io.openmessaging.benchmark.claims.Expression.Comparison;
import io.openmessaging.benchmark.claims.Expression.Direction;
import io.openmessaging.benchmark.claims.Expression.Name;
import io.openmessaging.benchmark.claims.Expression.Part;
import io.openmessaging.benchmark.claims.Expression.Reference;
import io.openmessaging.benchmark.claims.Expression.Side;
import io.openmessaging.benchmark.claims.Expression.Trend;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses expressions by recursive descent; docs/PLANS.md has the grammar, and each method here is a rule of it. The
 * parser does not look names up.
 */
final class ExpressionParser {

    /** Tolerance of {@code flat} if the expression gives none. */
    static final double DEFAULT_WITHIN_PERCENT = 10;

    /** A word starts with a letter or a digit, so that a minus after a space is not part of it. */
    private static final Pattern TOKEN = Pattern.compile(
            "\\s+|(?<WORD>[A-Za-z0-9.][A-Za-z0-9._-]*)|\"(?<QUOTED>(?:[^\"\\\\]|\\\\.)*)\"|(?<SIGN>>=|<=|[><*/+\\-%(),])|(?<OTHER>(?s:.))");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE]-?[0-9]{1,3})?");
    private static final List<String> OPERATORS = List.of(">", "<", ">=", "<=");

    /** By increasing precedence. */
    private static final List<Map<String, BinaryOperator<Interval>>> ARITHMETIC = List.of(
            Map.of("+", Interval::plus, "-", Interval::minus), Map.of("*", Interval::times, "/", Interval::dividedBy));

    private static final Map<String, Direction> DIRECTIONS =
            Map.of("rises", Direction.RISES, "falls", Direction.FALLS, "flat", Direction.FLAT);

    private enum TokenType {
        /** A name or a number without quotes. */
        WORD,
        /** A name in quotes, its text without them. */
        QUOTED,
        /** Brackets, commas, operators. */
        SIGN,
        /** After the last token. */
        END
    }

    private record Token(TokenType kind, String text, int offset) {
        boolean is(String word) {
            return (kind == TokenType.WORD || kind == TokenType.SIGN) && text.equals(word);
        }
    }

    private final List<Token> tokens;
    private int at;

    private ExpressionParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    /**
     * Parses a whole text.
     *
     * @throws ParseException with the problem, without its position, and the offset of the position from 0
     */
    static Expression parse(String text) throws ParseException {
        ExpressionParser parser = new ExpressionParser(tokens(text));
        List<Part> parts = new ArrayList<>();
        do {
            parts.add(parser.part());
        } while (parser.taken("and"));
        if (parser.next().kind() != TokenType.END) {
            throw parser.expected("'and' or the end");
        }
        return new Expression(List.copyOf(parts));
    }

    private static List<Token> tokens(String text) throws ParseException {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            if (matcher.group("OTHER") != null) {
                String what = matcher.group().equals("\"")
                        ? "a quote that is not closed"
                        : "'" + matcher.group() + "' is not part of an expression; put names with such characters in"
                                + " double quotes";
                throw new ParseException(what, matcher.start());
            }
            for (TokenType kind : List.of(TokenType.WORD, TokenType.QUOTED, TokenType.SIGN)) {
                String found = matcher.group(kind.name());
                if (found != null) {
                    String name =
                            kind == TokenType.QUOTED ? ESCAPED.matcher(found).replaceAll("$1") : found;
                    tokens.add(new Token(kind, name, matcher.start()));
                }
            }
        }
        tokens.add(new Token(TokenType.END, "", text.length()));
        return tokens;
    }

    private Part part() throws ParseException {
        Direction direction = DIRECTIONS.get(next().text());
        if (direction != null && next().kind() == TokenType.WORD) {
            at++;
            return trend(direction);
        }
        List<Reference> references = new ArrayList<>();
        Side left = side(references, 0);
        String operator = next().text();
        if (next().kind() != TokenType.SIGN || !OPERATORS.contains(operator)) {
            throw expected("one of > < >= <=");
        }
        at++;
        return new Comparison(left, operator, side(references, 0), references);
    }

    private Trend trend(Direction direction) throws ParseException {
        double withinPercent = DEFAULT_WITHIN_PERCENT;
        if (direction == Direction.FLAT && taken("within")) {
            withinPercent = number();
            require("%");
        }
        require("(");
        Reference reference = reference();
        if (!reference.open()) {
            throw new ParseException(
                    "a trend covers several cases: its reference needs a '*' here",
                    reference.caseName().offset());
        }
        require(")");
        return new Trend(direction, withinPercent, reference);
    }

    /**
     * Parses a side of a comparison; adds its references to the given ones.
     *
     * @param level precedence of the operators
     */
    private Side side(List<Reference> references, int level) throws ParseException {
        if (level == ARITHMETIC.size()) {
            return factor(references);
        }
        Side side = side(references, level + 1);
        while (next().kind() == TokenType.SIGN && ARITHMETIC.get(level).containsKey(next().text())) {
            BinaryOperator<Interval> operator =
                    Objects.requireNonNull(ARITHMETIC.get(level).get(next().text()));
            at++;
            Side left = side;
            Side right = side(references, level + 1);
            side = means -> operator.apply(left.in(means), right.in(means));
        }
        return side;
    }

    private Side factor(List<Reference> references) throws ParseException {
        if (next().kind() == TokenType.WORD && !tokens.get(at + 1).is("(")) {
            Interval number = Interval.of(number());
            return means -> number;
        }
        Reference reference = reference();
        references.add(reference);
        return means -> means.of(reference);
    }

    private double number() throws ParseException {
        Token token = next();
        if (token.kind() != TokenType.WORD || !NUMBER.matcher(token.text()).matches()) {
            throw expected("a number or a reference such as metric(experiment, system, case)");
        }
        at++;
        return Double.parseDouble(token.text());
    }

    private Reference reference() throws ParseException {
        Name metric = name("a metric");
        require("(");
        Name experiment = name("an experiment");
        require(",");
        Name system = name("a system");
        require(",");
        Name caseName = next().is("*") ? new Name("*", tokens.get(at++).offset()) : name("a case");
        require(")");
        return new Reference(metric, experiment, system, caseName);
    }

    private Name name(String what) throws ParseException {
        Token token = next();
        if (token.kind() != TokenType.WORD && token.kind() != TokenType.QUOTED) {
            throw expected(what);
        }
        at++;
        return new Name(token.text(), token.offset());
    }

    private Token next() {
        return tokens.get(at);
    }

    private boolean taken(String word) {
        boolean there = next().is(word);
        at += there ? 1 : 0;
        return there;
    }

    private void require(String sign) throws ParseException {
        if (!taken(sign)) {
            throw expected("'" + sign + "'");
        }
    }

    private ParseException expected(String what) {
        String found = next().kind() == TokenType.END ? "the end" : "'" + next().text() + "'";
        return new ParseException("expected " + what + ", found " + found, next().offset());
    }
}
