#!/usr/bin/env bash
# What the other commands have in common; they source it. A JVM takes file names, arguments and the current folder as the
# locale spells them, and where that is not UTF-8, a path with an ü cannot be used: so all of them run in a UTF-8 locale,
# where there is one.

utf8_locale() {
    if ! command -v locale >/dev/null; then
        # Without a list, the one that nearly every C library has; a name that is none changes nothing.
        echo C.UTF-8
        return
    fi
    [ "$(locale charmap)" != UTF-8 ] || return 0
    local name
    for name in C.UTF-8 en_US.UTF-8 $(locale -a | grep -i 'utf-\{0,1\}8$'); do
        if [ "$(LC_ALL=$name locale charmap)" = UTF-8 ]; then
            echo "$name"
            return
        fi
    done
}

utf8=$(utf8_locale 2>/dev/null) || utf8=
if [ -n "$utf8" ]; then
    # Whichever of these decides now; messages and numbers stay as they are, if they can.
    if [ -n "${LC_ALL:-}" ]; then export LC_ALL=$utf8; else export LC_CTYPE=$utf8; fi
fi

# Sets java to the one to run, or says what is wrong with it and exits: find_java PROGRAM
find_java() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    if ! command -v "$java" >/dev/null; then
        if [ -n "${JAVA_HOME:-}" ]; then
            echo "$1: JAVA_HOME is $JAVA_HOME, where there is no bin/java: set it to the folder of a Java 17 or newer, or unset it to use the java on the PATH" >&2
        else
            echo "$1: Java 17 or newer is needed; there is none on the PATH and JAVA_HOME is not set" >&2
        fi
        exit 1
    fi
    # An older one would say "class file version 61.0". What a JVM is stands in a file beside it; asking it takes longer.
    local program version
    program=$(readlink -f "$(command -v "$java")") || program=$java
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "${program%/bin/java}/release" 2>/dev/null) ||
        version=$("$java" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p') || version=
    if [ -n "$version" ] && [ "$version" -lt 17 ]; then
        echo "$1: Java 17 or newer is needed; $java is version $version: set JAVA_HOME to the folder of a newer one" >&2
        exit 1
    fi
}
