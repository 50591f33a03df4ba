"""How far a long piece of work is."""

import io

import pytest

from omb_charts.progress import told


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_at_the_start_and_every_ten_seconds_where_there_is_no_terminal() -> None:
    out, times = io.StringIO(), iter(float(4 * number) for number in range(100))
    assert list(told(range(20), 20, "pictures", out, lambda: next(times))) == list(range(20))
    lines = out.getvalue().splitlines()
    assert lines[0] == "charts: 20 pictures …"
    # Each look at the clock takes four seconds here, a line two looks.
    assert lines[1:] == [f"charts: {number} of 20 pictures" for number in range(3, 20, 3)]


def test_a_counter_in_a_terminal_which_leaves_nothing_behind() -> None:
    out = _Terminal()
    list(told(range(12), 12, "pictures", out, lambda: 0.0))
    assert "\n" not in out.getvalue()
    assert "\033[Kcharts: 11 of 12 pictures" in out.getvalue()
    assert out.getvalue().endswith("\r\033[K")


def test_little_work_is_done_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(told("abc", 3, "pictures")) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""
