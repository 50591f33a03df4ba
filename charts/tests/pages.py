"""What tests ask of the page's parts."""

from collections.abc import Mapping
from pathlib import Path

import plotly.graph_objects

from omb_charts import interactive
from omb_charts.interactive import Chart
from omb_charts.matrix import Matrix, matrix_of, ranked
from omb_charts.model import groups_of
from omb_charts.reading import read
from omb_charts.style import looks_of_systems


def matrix_in(folder: Path) -> Matrix:
    """The table of systems of the results in a folder, as the page has it."""
    return matrix_of(ranked(groups_of(read([folder]).runs)))


def charts_in(folder: Path, workload: str | None = None) -> Mapping[str, Chart]:
    """The charts of a workload, the first if none is named, by title, in the page's order."""
    matrix = matrix_in(folder)
    block = next(block for block in matrix.blocks if workload in (None, block.title))
    by_label = looks_of_systems(run for each in matrix.blocks for run in each.group.runs)
    return {chart.title: chart for chart in interactive.charts_of(block, by_label)}


def metrics_in(folder: Path) -> Mapping[str, Chart]:
    """The charts of any metric, by title."""
    groups = ranked(groups_of(read([folder]).runs))
    by_label = looks_of_systems(run for group in groups for run in group.runs)
    return {chart.title: chart for chart in interactive.overview(groups, by_label)}


def figure_of(chart: Chart) -> plotly.graph_objects.Figure:
    """As plotly understands it."""
    return plotly.graph_objects.Figure({"data": chart.data, "layout": chart.layout})
