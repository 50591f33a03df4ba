#!/usr/bin/env bash
# Functions and settings that the other commands share; they source this file. A JVM reads file names, arguments and the
# current folder in the locale's encoding. If that is not UTF-8, a path with an ü cannot be used, so all commands run in a
# UTF-8 locale if there is one.

utf8_locale() {
    if ! command -v locale >/dev/null; then
        # Without a list of locales, use the one that nearly every C library has; an unknown name changes nothing.
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
    # Set the variable that is in effect; the language of messages and the format of numbers stay the same if possible.
    if [ -n "${LC_ALL:-}" ]; then export LC_ALL=$utf8; else export LC_CTYPE=$utf8; fi
fi

# Prints the commit that a checkout is of, with .dirty if git status has something to say about it, or unknown if it is none:
# commit_of FOLDER OPTION… [-- FILE…]
commit_of() {
    local commit=
    if [ "$(git -C "$1" rev-parse --show-toplevel 2>/dev/null)" = "$1" ]; then
        commit=$(git -C "$1" rev-parse --verify --short=12 HEAD 2>/dev/null) || :
    fi
    if [ -n "$commit" ] && [ -n "$(git -C "$1" --no-optional-locks status --porcelain "${@:2}")" ]; then
        commit+=.dirty
    fi
    echo "${commit:-unknown}"
}

# Sets java to the program to run, or reports what is wrong with it and exits: find_java PROGRAM
find_java() {
    java=${JAVA_HOME:+$JAVA_HOME/bin/}java
    if ! command -v "$java" >/dev/null; then
        if [ -n "${JAVA_HOME:-}" ]; then
            echo "$1: JAVA_HOME is $JAVA_HOME, which has no bin/java: set it to the folder of Java 17 or newer, or unset it to use the java on the PATH" >&2
        else
            echo "$1: Java 17 or newer is needed; there is none on the PATH and JAVA_HOME is not set" >&2
        fi
        exit 1
    fi
    # An older JVM would only say "class file version 61.0". A file in its folder names the version; asking the JVM takes longer.
    local program version
    program=$(readlink -f "$(command -v "$java")") || program=$java
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "${program%/bin/java}/release" 2>/dev/null) ||
        version=$("$java" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p') || version=
    if [ -n "$version" ] && [ "$version" -lt 17 ]; then
        echo "$1: Java 17 or newer is needed; $java is version $version: set JAVA_HOME to the folder of a newer one" >&2
        exit 1
    fi
}
