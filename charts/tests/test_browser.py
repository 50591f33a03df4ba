"""The page in a real browser: opened from disk, without network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

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
    for number in range(24):
        system = ("kafka", "redis", "rabbitmq")[number % 3]
        verdict = "INVALID" if number == 4 else "OK"
        target = 1000 * (number // 12 + 1)
        latency = {"kafka": 2.0, "redis": 5.0, "rabbitmq": 12.0}[system]
        made = synthetic.result(f"w{number // 12}", system, target, latency, seed=number, verdict=verdict)
        synthetic.write(results, f"r{number}", made)
    synthetic.write(results, "z-omb", synthetic.omb_result("w9", "Kafka", 5000, 4.0))
    page = folder / "report.html"
    page.write_text(render(read([results]), "Title", None, {}), encoding="utf-8")
    return page


@pytest.fixture(scope="module")
def report_of_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    for number in range(30):
        verdict = "INVALID" if number == 29 else "OK"
        made = synthetic.result("w", f"system-{number:02}", 1000, 1.0 + number, seed=1, verdict=verdict)
        synthetic.write(folder / "results", f"r{number}", made)
    page = folder / "report.html"
    page.write_text(render(read([folder / "results"]), "Title", None, {}), encoding="utf-8")
    return page


@contextmanager
def _open(report: Path, chromium: str, size: tuple[int, int]) -> Iterator[Opened]:
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


@pytest.fixture(params=["wide", "phone"])
def opened(report: Path, chromium: str, request: pytest.FixtureRequest) -> Iterator[Opened]:
    with _open(report, chromium, (1400, 1000) if request.param == "wide" else (390, 844)) as opened:
        yield opened


@pytest.fixture
def many(report_of_many: Path, chromium: str) -> Iterator[Opened]:
    with _open(report_of_many, chromium, (1400, 1000)) as opened:
        yield opened


def _answers(page: Page) -> Locator:
    """The three charts that are open from the start, drawn."""
    charts = page.locator("#answers .chart")
    for number in range(charts.count()):
        charts.nth(number).scroll_into_view_if_needed()
        expect(charts.nth(number).locator(".main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    return charts


def test_three_charts_are_open_and_the_others_are_drawn_when_they_come_near(opened: Opened) -> None:
    page = opened.page
    assert _answers(page).count() == 3
    assert page.locator("details.part[open]").count() == 0
    page.locator("#more > summary").click()
    others = page.locator("#more .chart")
    assert others.count() > 5
    for number in range(others.count()):
        others.nth(number).scroll_into_view_if_needed()
        expect(others.nth(number).locator(".main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"


def test_titles_of_axes_lie_on_nothing_and_the_toolbar_appears_under_a_pointer(opened: Opened) -> None:
    page = opened.page
    charts = _answers(page)
    assert page.locator("#answers .legend").count() == 0, "the one legend is above the charts"
    for number in range(charts.count()):
        boxes = [
            box
            for name in (".xtitle", ".xaxislayer-above")
            if (box := charts.nth(number).locator(name).first.bounding_box())
        ]
        if len(boxes) == 2:
            assert boxes[0]["y"] >= boxes[1]["y"] + boxes[1]["height"] - 2, "a title on labels"
    assert page.locator('[data-title^="Share"]').count() == 0, "nothing is sent elsewhere"
    page.mouse.move(1, 1)
    bar = charts.first.locator(".modebar-group").first
    expect(bar).to_have_css("opacity", "0", timeout=_PATIENCE_MS)
    charts.first.hover()
    page.wait_for_function("bar => Number(getComputedStyle(bar).opacity) > 0.1", arg=bar.element_handle())


def test_the_charts_are_those_of_the_chosen_workload_and_its_shown_systems(opened: Opened) -> None:
    page = opened.page
    _answers(page)
    systems = "[...new Set(document.querySelector('#answers .chart').data.map(trace => trace.meta))]"
    assert page.evaluate(systems) == ["kafka", "redis", "rabbitmq"], "in the order of the table"
    page.locator("#matrix tr.workload a", has_text="w9").press("Enter")
    expect(page.locator("#block")).to_have_value("2", timeout=_PATIENCE_MS)
    _answers(page)
    assert page.evaluate(systems) == ["Kafka"]


def test_charts_that_were_drawn_shrink_with_the_window_also_in_a_fold(report: Path, chromium: str) -> None:
    with _open(report, chromium, (1400, 1000)) as opened:
        page = opened.page
        _answers(page)
        fold = page.locator("#more > summary")
        fold.click()
        expect(page.locator("#more .main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
        fold.click()
        page.set_viewport_size({"width": 500, "height": 1000})
        fold.click()
        page.wait_for_function(
            "() => [...document.querySelectorAll('.main-svg')]"
            ".every(each => each.getBoundingClientRect().right <= innerWidth)"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"


def test_a_system_stands_out_when_its_name_is_clicked(opened: Opened) -> None:
    page = opened.page
    _answers(page)
    faint = "document.querySelector('#answers .chart').data.filter(trace => trace.opacity < 1).map(trace => trace.meta)"
    chip = page.locator("#legend button", has_text="redis")
    chip.press("Enter")
    page.wait_for_function(f"{faint}.length === 2")
    assert page.evaluate(faint) == ["kafka", "rabbitmq"]
    expect(chip).to_have_attribute("aria-pressed", "true")
    chip.press("Enter")
    page.wait_for_function(f"{faint}.length === 0")


def test_any_metric_can_be_chosen(opened: Opened) -> None:
    page = opened.page
    page.locator("#all > summary").click()
    expect(page.locator("#overview .main-svg").first).to_be_visible(timeout=_PATIENCE_MS)
    page.select_option("#metric", label="End-to-end latency p99 (ms)")
    expect(page.locator("#overview .xtitle")).to_have_text("ms", timeout=_PATIENCE_MS)
    assert page.locator("#overview .scatterlayer .point").count() >= 6
    expect(page.locator("#overview .yaxislayer-above")).to_contain_text("rabbitmq")


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


def test_the_first_screen_has_the_answer_with_verdicts_and_the_tail_and_says_what_is_not_certain(
    opened: Opened,
) -> None:
    page = opened.page
    tail = [head.split()[0] for head in page.locator("#matrix thead th").all_inner_texts()].index("p99.9")
    for first in (
        "#answer",
        "#uncertain",
        "#matrix tbody tr:nth-child(2) th small",
        f"#matrix tbody tr:nth-child(2) > :nth-child({tail + 1})",
    ):
        box = page.locator(first).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < page.evaluate("innerHeight"), first
        assert box["x"] + box["width"] <= page.evaluate("innerWidth"), first
    once, repeated = page.locator("#matrix tr.workload").all()[:2]
    expect(once).to_contain_text("too few valid runs: redis")
    expect(repeated).not_to_contain_text("too few")


def test_many_systems_are_sorted_filtered_and_cut_to_the_first(many: Opened) -> None:
    page = many.page
    rows = page.locator("#matrix tbody tr[data-system]").locator("visible=true")
    assert rows.count() == 10
    expect(page.locator("#left")).to_have_text("10 of 30 systems")
    names = (
        "[...document.querySelectorAll('#matrix tbody tr[data-system]:not([hidden])')].map(row => row.dataset.system)"
    )
    assert page.evaluate(names) == [f"system-{number:02}" for number in range(10)], "the lowest p99 first"
    page.locator("#matrix thead button", has_text="p50").click()
    page.locator("#matrix thead button", has_text="p50").click()
    assert page.evaluate(names) == [f"system-{number:02}" for number in range(28, 18, -1)], "INVALID ones last"
    page.fill("#which", "invalid")
    assert page.evaluate(names) == ["system-29"]
    page.fill("#which", "system-1")
    assert rows.count() == 10
    page.fill("#which", "")
    page.select_option("#most", label="all")
    assert rows.count() == 30
    assert page.locator("#legend button").count() == 30
    _answers(page)
    drawn = "document.querySelector('#answers .chart').layout.yaxis.categoryarray"
    assert page.evaluate(drawn) == [f"system-{number:02}" for number in range(28, -1, -1)] + ["system-29<br>INVALID"]


def test_the_table_sorts_and_filters(opened: Opened) -> None:
    page = opened.page
    page.locator("#runs > summary").click()
    rows = page.locator("#table tbody tr")
    assert rows.count() == 25
    page.fill("#filter", "redis w1")
    assert rows.locator("visible=true").count() == 4
    expect(page.locator("#shown")).to_have_text("4 of 25")
    page.fill("#filter", "invalid")
    assert rows.locator("visible=true").count() == 1
    page.fill("#filter", "")

    head = page.locator("#table th", has_text="target (msg/s)")
    targets = "[...document.querySelectorAll('#table tbody tr')].map(row => Number(row.cells[5].dataset.key))"
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert page.evaluate(targets) == sorted(page.evaluate(targets))
    head.locator("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert page.evaluate(targets) == sorted(page.evaluate(targets), reverse=True)


def test_folds_open_by_themselves_for_a_link(opened: Opened) -> None:
    page = opened.page
    page.locator("#runs > summary").click()
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
    _answers(page)
    background = "getComputedStyle(document.body).backgroundColor"
    label = "getComputedStyle(document.querySelector('#answers .xtick text')).fill"
    bar = "document.querySelector('#answers .chart').data[0].marker.color"
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    label_before, bar_before = page.evaluate(label), page.evaluate(bar)
    page.click("#theme")
    page.wait_for_function(f"{background} !== 'rgb(255, 255, 255)'")
    page.wait_for_function(f"{label} !== {label_before!r}")
    page.wait_for_function(f"{bar} !== {bar_before!r}")
    is_open = "[...document.querySelectorAll('.legend, #summary')].map((fold) => fold.open)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(f"{background} === 'rgb(255, 255, 255)'")
    assert page.evaluate(is_open) == [True, True]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_function(f"{background} !== 'rgb(255, 255, 255)'")
    assert page.evaluate(is_open) == [False, False]
