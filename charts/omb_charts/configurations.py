"""The configurations of runs for the page: each text once, since thousands of runs share most of them."""

import json
from collections.abc import Sequence

from omb_charts.model import Json, Run

# It has a section of its own.
_SHOWN_ELSEWHERE = "environment"


def shared(runs: Sequence[Run]) -> Json:
    """``texts``, and for each run the names of its parts with the place of their text."""
    places: dict[str, int] = {}
    texts: list[Json] = []
    of_runs: list[Json] = []
    for run in runs:
        parts: list[Json] = []
        for name, value in run.configuration.items():
            if name == _SHOWN_ELSEWHERE:
                continue
            # Written for a person only if it is new, which takes ten times as long.
            place = places.setdefault(json.dumps(value), len(texts))
            if place == len(texts):
                texts.append(written(value))
            parts.append([name, place])
        of_runs.append(parts)
    return {"texts": texts, "runs": of_runs}


def written(value: Json) -> str:
    """Formatted for people. The page's script would round large numbers."""
    return json.dumps(value, indent=1, ensure_ascii=False)
