"""Reads what a run served with the parsers of Prometheus' own Python client, and the dashboard's queries with a parser of PromQL.

Usage: check_metrics.py DASHBOARD METRICS_TEXT OPENMETRICS_TEXT
Prints what was read; ends with 1 and a line for each problem if there is one.
"""

import json
import math
import re
import sys

import promql_parser
from prometheus_client import parser as text_format
from prometheus_client.openmetrics import parser as open_metrics

# What Grafana puts in before it asks.
VARIABLES = {"$__rate_interval": "1m", "$workload": ".*", "$driver": ".*"}

# Served for runs on several workers only.
OF_WORKERS = "benchmark_worker_"


def read(parse, path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(parse(file.read()))


def problems_of(families):
    """What parses may still be no histogram: buckets must not fall, and the last one is the count."""
    seen = set()
    for family in families:
        if not family.documentation:
            yield f"{family.name}: has no help"
        if family.type in ("unknown", "untyped"):
            yield f"{family.name}: has no type"
        buckets = {}
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            if (sample.name, labels) in seen:
                yield f"{sample.name}{labels}: is there twice"
            seen.add((sample.name, labels))
            if math.isnan(sample.value):
                yield f"{sample.name}{labels}: is no number"
            if family.type == "histogram":
                rest = tuple(label for label in labels if label[0] != "le")
                buckets.setdefault(rest, {})[(sample.name, sample.labels.get("le"))] = sample.value
        for labels, values in buckets.items():
            yield from problems_of_buckets(family.name, labels, values)


def problems_of_buckets(name, labels, values):
    ordered = sorted((float(le), value) for (_, le), value in values.items() if le is not None)
    counts = [value for _, value in ordered]
    if counts != sorted(counts):
        yield f"{name}{labels}: buckets fall"
    if not ordered or ordered[-1] != (math.inf, values.get((f"{name}_count", None))):
        yield f"{name}{labels}: the bucket of everything is not the count"


def queries(node):
    """Every query of the dashboard, wherever it stands."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "expr":
                yield value
            else:
                yield from queries(value)
    elif isinstance(node, list):
        for value in node:
            yield from queries(value)


def selectors(expression):
    """The vector selectors of a parsed query."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression
    for attribute in ("expr", "lhs", "rhs", "vector_selector"):
        inner = getattr(expression, attribute, None)
        if inner is not None:
            yield from selectors(inner)
    for inner in getattr(expression, "args", None) or []:
        yield from selectors(inner)


def matches(selector, sample):
    if sample.name != selector.name:
        return False
    for matcher in selector.matchers.matchers:
        value = sample.labels.get(matcher.name, "")
        if matcher.op == promql_parser.MatchOp.Equal:
            if value != matcher.value:
                return False
        elif matcher.op == promql_parser.MatchOp.Re:
            if not re.fullmatch(matcher.value, value):
                return False
        else:
            raise ValueError(f"this check does not know the operator of {matcher}")
    return True


def problems_of_dashboard(path, families):
    samples = [sample for family in families for sample in family.samples]
    with open(path, encoding="utf-8") as file:
        expressions = list(queries(json.load(file)))
    if not expressions:
        yield f"{path}: has no query"
    for expression in expressions:
        asked = expression
        for name, value in VARIABLES.items():
            asked = asked.replace(name, value)
        found = list(selectors(promql_parser.parse(asked)))
        if not found:
            yield f"{expression}: names no series"
        for selector in found:
            if selector.name.startswith(OF_WORKERS):
                continue
            if not any(matches(selector, sample) for sample in samples):
                yield f"{expression}: nothing is served for {selector.prettify()}"
    print(f"{len(expressions)} queries")


def main(dashboard, text, open_text):
    plain = read(text_format.text_string_to_metric_families, text)
    newer = read(open_metrics.text_string_to_metric_families, open_text)
    problems = list(problems_of(plain)) + list(problems_of(newer)) + list(problems_of_dashboard(dashboard, plain))
    if sorted(f.name for f in plain) != sorted(f.name for f in newer):
        names = {f.name for f in plain} ^ {f.name for f in newer}
        # The older format has no type for infos: there the whole name is a gauge's.
        problems += [f"{name}: is in one of the formats only" for name in names if not name.startswith("benchmark_run")]
    print(f"{len(plain)} families, {sum(len(f.samples) for f in plain)} samples")
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
