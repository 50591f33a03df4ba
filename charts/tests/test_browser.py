"""The page in a real browser: opened from disk, without network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from omb_charts.reading import read
from omb_charts.report import render
from tests import synthetic

# Chromium otherwise asks its maker's hosts for this and that.
_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
]
# A busy machine takes its time.
_PATIENCE_MS = 60_000


class Opened:
    """The page, and what it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    results = folder / "results"
    for number in range(18):
        system = ("kafka", "redis", "rabbitmq")[number % 3]
        verdict = "INVALID" if number == 4 else "OK"
        target = 1000 * (number // 9 + 1)
        latency = {"kafka": 2.0, "redis": 5.0, "rabbitmq": 12.0}[system]
        made = synthetic.result(f"w{number // 9}", system, target, latency, seed=number, verdict=verdict)
        synthetic.write(results, f"r{number}", made)
    synthetic.write(results, "z-omb", synthetic.omb_result("w9", "Kafka", 5000, 4.0))
    page = folder / "report.html"
    page.write_text(render(read([results]), "Title", None, {}), encoding="utf-8")
    return page


@pytest.fixture(params=["wide", "phone"])
def opened(report: Path, chromium: str, request: pytest.FixtureRequest) -> Iterator[Opened]:
    size = (1400, 1000) if request.param == "wide" else (390, 844)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_QUIET, timeout=_PATIENCE_MS)
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, offline=True, color_scheme="light", reduced_motion="reduce"
        )
        context.set_default_timeout(_PATIENCE_MS)
        opened = Opened(context.new_page())
        opened.page.goto(report.as_uri())
        yield opened
        assert opened.complaints == []
        assert [url for url in opened.requests if not url.startswith(("file:", "data:", "blob:"))] == []
        browser.close()


def test_charts_are_drawn_when_they_come_near_and_fit_the_page(opened: Opened) -> None:
    page = opened.page
    places = page.locator(".grid .chart")
    assert places.count() > 10
    for number in range(places.count()):
        places.nth(number).scroll_into_view_if_needed()
        expect(places.nth(number).locator(".main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"
    lines = page.locator("#group-0-rates .scatterlayer .trace")
    assert lines.count() == 18, "nine runs, published and consumed"


def test_the_metric_of_the_overview_can_be_chosen(opened: Opened) -> None:
    page = opened.page
    expect(page.locator("#overview .main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    page.select_option("#metric", "overview-endToEndLatency99pct")
    expect(page.locator("#overview .xtitle")).to_contain_text("end-to-end latency p99", timeout=_PATIENCE_MS)
    assert page.locator("#overview .bars .point").count() >= 4


def test_labels_of_the_overviews_bars_lie_beside_their_intervals(opened: Opened) -> None:
    page = opened.page
    page.select_option("#metric", "overview-publishLatency99pct")
    expect(page.locator("#overview .xtitle")).to_contain_text("publish latency p99", timeout=_PATIENCE_MS)
    boxes = "(found) => found.map(each => each.getBoundingClientRect()).map(b => [b.left, b.right, b.top, b.bottom])"
    intervals = page.locator("#overview .errorbar path").evaluate_all(boxes)
    labels = page.locator("#overview .textpoint text, #overview .bartext").evaluate_all(boxes)
    assert len(intervals) >= 3
    assert len(labels) >= 6
    for left, right, top, bottom in intervals:
        for label in labels:
            beside = label[0] >= right or label[1] <= left or label[2] >= bottom or label[3] <= top
            assert beside, "a label on an interval"


def test_the_matrix_comes_first_and_names_of_systems_stay_in_sight(opened: Opened) -> None:
    page = opened.page
    assert page.locator("main > section").first.get_attribute("id") == "matrix"
    name = page.locator("#matrix th[scope=row]").first
    before = name.bounding_box()
    page.locator("#matrix .scroll").first.evaluate("(table) => { table.scrollLeft = table.scrollWidth }")
    after = name.bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] == pytest.approx(before["x"], abs=1)
    assert page.locator("#matrix td.best").count() >= 1


def test_the_first_screen_has_the_answer_and_says_what_is_not_certain(opened: Opened) -> None:
    page = opened.page
    height = page.evaluate("innerHeight")
    for first in ("#uncertain", "#matrix tbody tr:nth-child(2)"):
        box = page.locator(first).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < height, first
    once, repeated = page.locator("#matrix tr.workload").all()[:2]
    expect(once).to_contain_text("too few valid runs: redis")
    expect(repeated).not_to_contain_text("too few")


def test_a_workloads_charts_are_parsed_when_they_are_drawn(opened: Opened) -> None:
    page = opened.page
    last = page.locator("details.group").last
    assert last.locator("script.charts").count() == 1
    last.locator(".chart").first.scroll_into_view_if_needed()
    expect(last.locator(".main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    assert last.locator("script.charts").count() == 0


def test_the_table_sorts_and_filters(opened: Opened) -> None:
    page = opened.page
    rows = page.locator("#table tbody tr")
    assert rows.count() == 19
    page.fill("#filter", "redis w1")
    assert rows.locator("visible=true").count() == 3
    expect(page.locator("#shown")).to_have_text("3 of 19")
    page.fill("#filter", "invalid")
    assert rows.locator("visible=true").count() == 1
    page.fill("#filter", "")

    head = page.locator("#table th", has_text="target msg/s")
    targets = "[...document.querySelectorAll('#table tbody tr')].map(row => Number(row.cells[5].dataset.key))"
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert page.evaluate(targets) == sorted(page.evaluate(targets))
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert page.evaluate(targets) == sorted(page.evaluate(targets), reverse=True)


def test_folds_open_by_themselves_for_a_link(opened: Opened) -> None:
    page = opened.page
    fold = page.locator("#run-3")
    expect(fold).not_to_have_attribute("open", "")
    # By the keyboard: charts that are drawn meanwhile move the page under a pointer.
    page.locator('#table a[href="#run-3"]').press("Enter")
    expect(fold).to_have_attribute("open", "", timeout=_PATIENCE_MS)
    expect(fold.locator("pre").first).to_be_visible()
    expect(fold.locator("h4", has_text="driverConfig")).to_be_visible()
    # Opened again, it has everything once.
    fold.locator("summary").press("Enter")
    expect(fold.locator("pre").first).to_be_hidden()
    fold.locator("summary").press("Enter")
    expect(fold.locator("pre").first).to_be_visible()
    assert fold.locator("h4", has_text="driverConfig").count() == 1


def test_the_theme_changes_page_and_charts_and_print_is_light(opened: Opened) -> None:
    page = opened.page
    expect(page.locator("#overview .main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    background = "getComputedStyle(document.body).backgroundColor"
    label = "getComputedStyle(document.querySelector('#overview .xtick text')).fill"
    bar = "document.getElementById('overview').data[0].marker.color"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    label_before, bar_before = page.evaluate(label), page.evaluate(bar)
    page.click("#theme")
    page.wait_for_function(f"{background} !== 'rgb(255, 255, 255)'")
    page.wait_for_function(f"{label} !== {label_before!r}")
    page.wait_for_function(f"{bar} !== {bar_before!r}")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(f"{background} === 'rgb(255, 255, 255)'")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_function(f"{background} !== 'rgb(255, 255, 255)'")
