#!/usr/bin/env python3
"""Writes the payload files that OMB's workloads refer to, each of its exact size, and one of many records.

The content is the same on every machine: log-like text of invented words and hexadecimal
numbers, drawn by a fixed generator. Run it in any folder; the files appear beside this script.
"""

from pathlib import Path

SIZES_BYTES = {
    "payload-100b.data": 100,
    "payload-200b.data": 200,
    "payload-400b.data": 400,
    "payload-1Kb.data": 1024,
    "payload-2Kb.data": 2048,
    "payload-4Kb.data": 4096,
}
RECORDS = 1000
SEED = 20260101
VOCABULARY = 300
CONSONANTS = "bcdfghjklmnprstvwz"
VOWELS = "aeiou"


class Generator:
    """Knuth's 64-bit linear congruential generator: the same numbers whatever the Python version."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def choice(self, options: str | list[str]) -> str:
        return options[self.below(len(options))]

    def word(self) -> str:
        return "".join(self.choice(CONSONANTS) + self.choice(VOWELS) for _ in range(1 + self.below(4)))

    def hexadecimal(self) -> str:
        return "".join(self.choice("0123456789abcdef") for _ in range(8))


def text(size_bytes: int) -> str:
    generator = Generator(SEED + size_bytes)
    vocabulary = [generator.word() for _ in range(VOCABULARY)]
    line = ""
    while len(line) < size_bytes:
        words = " ".join(generator.choice(vocabulary) for _ in range(4 + generator.below(5)))
        line += f"{generator.hexadecimal()} {words}\n"
    return line[:size_bytes]


def records() -> str:
    """Lines of JSON, most of them short, one in twenty of them long."""
    generator = Generator(SEED)
    vocabulary = [generator.word() for _ in range(VOCABULARY)]
    lines = ""
    for number in range(1, RECORDS + 1):
        length = 5 + generator.below(15) if generator.below(20) else 100 + generator.below(400)
        words = " ".join(generator.choice(vocabulary) for _ in range(length))
        lines += f'{{"id": {number}, "session": "{generator.hexadecimal()}", "text": "{words}"}}\n'
    return lines


def main() -> None:
    for name, size_bytes in SIZES_BYTES.items():
        (Path(__file__).parent / name).write_bytes(text(size_bytes).encode("ascii"))
    (Path(__file__).parent / "records.jsonl").write_bytes(records().encode("ascii"))


if __name__ == "__main__":
    main()
