"""The answer in a sentence: which system is best, and whether that is certain."""

from collections import Counter
from collections.abc import Sequence

from omb_charts.matrix import Block, Figure, Mark, Matrix, Row
from omb_charts.statistics import FEWEST_COMPARED
from omb_charts.units import digits

_MOST_NAMES = 2
_MOST_LEADS = 3
_LEADS = {"rate": "highest rate", "p99": "lowest p99"}


def answer(matrix: Matrix) -> str:
    """What the comparison says; of several, how many each system leads; without any, what was measured."""
    compared = [block for block in matrix.blocks if block.compares]
    if not compared:
        return _alone(matrix)
    if len(compared) > 1:
        by_column = {decides: [block for block in compared if block.decides == decides] for decides in _LEADS}
        return " ".join(_counted(matrix, blocks, decides) for decides, blocks in by_column.items() if blocks)
    (block,) = compared
    ranking, ratio_of = _ranking(matrix, block), block.decides == "rate"
    if not ranking:
        return f"No system has figures to rely on.{_left_out(block)}"
    if block.unequal and not ratio_of:
        return f"The systems' latencies are not compared: {block.unequal}.{_left_out(block)}"
    (lead, best), *others = ranking
    if not others:
        measured = f"{block.decides} {_with_unit(matrix, block, best)}"
        what = "valid figures" if best.mark is Mark.VAGUE else "figures to rely on"
        return f"Only {lead.label} has {what}: {measured}{_while_shared([best])}.{_left_out(block)}"
    told = f"{lead.label} has the {_LEADS[block.decides]}, {_with_unit(matrix, block, best)}{_of_runs(lead)}"
    if best.value > 0 and others[0][1].value > 0:
        other, figure = others[0]
        next_one = f"{other.label}'s" if len(others) == 1 else f"that of {other.label}, the next"
        factor = digits(max(figure.value / best.value, best.value / figure.value))
        told += f", {factor} times {next_one}" if ratio_of else f"; {next_one}, is {factor} times as high"
        told = told.replace("'s, is", "'s is") + _of_runs(other)
    full = [row.label for row, _ in ranking if row.on_full_machine]
    where = f", on a full machine ({_names(full)})" if full else ""
    certainty = f" This is certain{where}." if best.mark is Mark.BEST else ""
    return f"{told}{_while_shared([best, others[0][1]])}.{certainty}{_left_out(block)}"


def _while_shared(figures: Sequence[Figure]) -> str:
    """As bin/benchmark says it."""
    return ", but others used the machine" if any(figure.mark is Mark.VAGUE for figure in figures) else ""


def uncertain(matrix: Matrix) -> str:
    """A sentence on why it is not certain which system is best; none if it is, or if nothing is compared."""
    compared = [block for block in matrix.blocks if block.compares]
    few = [block for block in compared if not block.repeated]
    if few and not any(row.repetitions >= FEWEST_COMPARED for block in compared for row in block.rows):
        return (
            f"No system has {FEWEST_COMPARED} valid runs or more, so no difference is certain and no figure is "
            "marked as best."
        )
    if few:
        where = "the comparison" if len(compared) == 1 else f"{len(few)} of {len(compared)} comparisons"
        return (
            f"In {where}, a system has fewer than {FEWEST_COMPARED} valid runs: which is best is not certain there, "
            "and not marked."
        )
    if len(compared) != 1 or (compared[0].unequal and compared[0].decides != "rate"):
        return ""
    return _left_open(compared[0], _ranking(matrix, compared[0]))


def _left_open(block: Block, ranking: Sequence[tuple[Row, Figure]]) -> str:
    if lacking := [row.label for row, figure in ranking if figure.lacking]:
        return f"Some runs of {_names(lacking)} have no {block.decides} to rely on, so no difference is certain."
    if doubtful := [row.label for row, figure in ranking if figure.mark is Mark.VAGUE]:
        return f"No difference is certain, since others used the machine in runs of {_names(doubtful)}."
    alike = [row.label for row, figure in ranking[1:] if not figure.factor]
    if not alike or ranking[0][1].mark is Mark.BEST:
        return ""
    return f"The runs do not tell it apart from {_names(alike)}."


def _ranking(matrix: Matrix, block: Block) -> list[tuple[Row, Figure]]:
    """The rows to rely on, from the best, with the figure that decides."""
    place = next((n for n, column in enumerate(matrix.columns) if column.head == block.decides), None)
    if place is None:
        return []
    rows = [(row, figure) for row in block.rows if row.stands and not row.limit and (figure := row.figures[place])]
    return sorted(rows, key=lambda row: -matrix.columns[place].better * row[1].value)


def _of_runs(row: Row) -> str:
    """How many runs count, where some do not: what they measured is not in the median."""
    return f" ({row.runs})" if row.some_left_out else ""


def _with_unit(matrix: Matrix, block: Block, figure: Figure) -> str:
    column = next(column for column in matrix.columns if column.head == block.decides)
    return f"{figure.plain} {column.scale.symbol}"


def _left_out(block: Block) -> str:
    vague = "".join(f" {row.label}: {row.limit}." for row in block.rows if row.limit)
    invalid = [row for row in block.rows if not row.stands]
    if not invalid:
        return vague
    codes = list(dict.fromkeys(code for row in invalid for code in row.causes))
    why = f": {', '.join(codes[:_MOST_NAMES])}" if codes else ""
    return (
        f"{vague} {_names([row.label for row in invalid])} {'does' if len(invalid) == 1 else 'do'} not count"
        f" (INVALID{why})."
    )


def _names(labels: Sequence[str]) -> str:
    more = len(labels) - _MOST_NAMES
    return " and ".join(labels) if more <= 0 else f"{', '.join(labels[:_MOST_NAMES])} and {more} more"


def _counted(matrix: Matrix, blocks: Sequence[Block], decides: str) -> str:
    firsts = [ranking[0] for block in blocks if len(ranking := _ranking(matrix, block)) > 1]
    leads = Counter(row.label for row, figure in firsts if figure.mark is Mark.BEST)
    told = _leads(leads) + ([f"not certain in {len(blocks) - leads.total()}"] if leads.total() < len(blocks) else [])
    comparisons = f"{len(blocks)} comparison{'' if len(blocks) == 1 else 's'}"
    medians = _leads(Counter(row.label for row, _ in firsts)) if not leads and decides == "rate" else []
    by_medians = f" By the medians: {', '.join(medians)}." if medians else ""
    return f"{_LEADS[decides].capitalize()} in {comparisons}: {', '.join(told)}.{by_medians}"


def _leads(counts: Counter[str]) -> list[str]:
    most = counts.most_common(_MOST_LEADS)
    others = counts.total() - sum(number for _, number in most)
    return [f"{label} in {number}" for label, number in most] + ([f"others in {others}"] if others else [])


def _alone(matrix: Matrix) -> str:
    rows = [row for block in matrix.blocks for row in block.rows]
    if len(rows) != 1:
        systems = len({row.label for row in rows})
        what = f"{systems} system{'' if systems == 1 else 's'}, {len(matrix.blocks)} workload"
        return f"{what}{'' if len(matrix.blocks) == 1 else 's'}: nothing is compared."
    (row,) = rows
    shown = [
        (column, figure)
        for column, figure in zip(matrix.columns, row.figures, strict=True)
        if figure and column.head in ("rate", "p99", "p99.9")
    ]
    # The rate's brackets are explained below.
    figures = [
        f"{column.head} {figure.text if column.head == 'rate' else figure.plain} {column.scale.symbol}"
        for column, figure in shown
    ]
    shared = "" if row.limit else _while_shared([figure for _, figure in shown])
    counts = "" if row.stands else f" It does not count: INVALID{''.join(f', {code}' for code in row.causes)}."
    counts += f" The rate is no figure to rely on: {row.limit}." if row.limit else ""
    return f"{row.label}: {', '.join(figures) or 'no figures'}{shared}.{counts}"
