package io.openmessaging.benchmark.claims;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A piece of an expression.
 *
 * @param kind what it is
 * @param text a name without quotes, else as it is written
 * @param column where it begins, from 1
 */
record Token(Kind kind, String text, int column) {

    /** What a piece may be. */
    enum Kind {
        /** A name or a number without quotes. */
        WORD,
        /** A name in quotes. */
        QUOTED,
        /** Anything else: brackets, commas, operators. */
        SIGN,
        /** Behind the last piece. */
        END
    }

    private static final Pattern SPACE = Pattern.compile("\\s+");

    /** Begins with a letter or a digit, so that a minus with space before it is none of it. */
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9.][A-Za-z0-9._-]*");

    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final Pattern SIGN = Pattern.compile(">=|<=|[><*/+\\-%(),]");

    static List<Token> of(String text) throws ExpressionException {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            Matcher matcher = SPACE.matcher(text).region(at, text.length());
            if (!matcher.lookingAt()) {
                matcher = add(text, at, tokens);
            }
            at = matcher.end();
        }
        tokens.add(new Token(Kind.END, "", text.length() + 1));
        return tokens;
    }

    private static Matcher add(String text, int at, List<Token> tokens) throws ExpressionException {
        Matcher word = WORD.matcher(text).region(at, text.length());
        if (word.lookingAt()) {
            tokens.add(new Token(Kind.WORD, word.group(), at + 1));
            return word;
        }
        Matcher quoted = QUOTED.matcher(text).region(at, text.length());
        if (quoted.lookingAt()) {
            tokens.add(new Token(Kind.QUOTED, ESCAPED.matcher(quoted.group(1)).replaceAll("$1"), at + 1));
            return quoted;
        }
        Matcher sign = SIGN.matcher(text).region(at, text.length());
        if (sign.lookingAt()) {
            tokens.add(new Token(Kind.SIGN, sign.group(), at + 1));
            return sign;
        }
        String what = text.charAt(at) == '"'
                ? "a quote that does not end"
                : "'" + Character.toString(text.codePointAt(at)) + "' is no part of an expression; names with such"
                        + " signs are written in double quotes";
        throw new ExpressionException(at + 1, what);
    }

    /** How a message names it. */
    String shown() {
        return kind == Kind.END ? "the end" : "'" + text + "'";
    }

    boolean is(String word) {
        return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(word);
    }
}
