"""The page that shows runs while they go on, in a real browser. Its events are those of a test of the benchmark."""

import base64
import hashlib
import json
import queue
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

_FRAMEWORK = Path(__file__).parents[2] / "benchmark-framework/src"
_PLACE = "resources/io/openmessaging/benchmark/live/page"
_PAGE = _FRAMEWORK / "main" / _PLACE / "page.html"
_EVENTS = _FRAMEWORK / "test" / _PLACE / "events.txt"

_QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
]
_PATIENCE_MS = 60_000
# What a browser logs by itself when a server is gone.
_GONE = re.compile(r"net::ERR_(CONNECTION_|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|ABORTED)")
# Texts that a figure without a value must not become, and its own.
_SLIPS = re.compile(r"NaN|undefined|null|Infinity|\[object")
_NOTHING = "—"

Data = dict[str, Any]


def _golden() -> list[Data]:
    """The news of a short run; the first is all that is known before it."""
    blocks = _EVENTS.read_text(encoding="utf-8").split("\n\n")
    return [json.loads(block.partition("\ndata: ")[2]) for block in blocks if block.strip()]


def _ended() -> Data:
    """The news that the run has ended."""
    return next(news for news in _golden() if news["rows"])


def _policy(html: str) -> str:
    """The one that the benchmark's server sends."""

    def digest(element: str) -> str:
        found = re.search(f"<{element}>(.*?)</{element}>", html, re.DOTALL)
        assert found is not None
        return "sha256-" + base64.b64encode(hashlib.sha256(found.group(1).encode()).digest()).decode()

    return (
        f"default-src 'none'; script-src '{digest('script')}'; style-src '{digest('style')}'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


class Benchmark:
    """Serves the page and tells events, as the benchmark does, and can be gone for a while."""

    def __init__(self, first: Data) -> None:
        self.first = first
        self.port = 0
        self._readers: list[queue.Queue[str | None]] = []
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        benchmark = self
        html = _PAGE.read_text(encoding="utf-8")

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/":
                    self.answer("text/html; charset=utf-8")
                    self.wfile.write(html.encode())
                elif self.path == "/events":
                    self.follow()
                else:
                    self.send_error(404)

            def answer(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Security-Policy", _policy(html))
                self.end_headers()

            def follow(self) -> None:
                waiting: queue.Queue[str | None] = queue.Queue()
                waiting.put("retry: 200\n\n" + benchmark.text(benchmark.first))
                benchmark._readers.append(waiting)
                self.answer("text/event-stream")
                try:
                    while (event := waiting.get(timeout=_PATIENCE_MS / 1000)) is not None:
                        self.wfile.write(event.encode())
                except (OSError, queue.Empty):
                    pass

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @staticmethod
    def text(news: Data) -> str:
        return f"event: news\ndata: {json.dumps(news)}\n\n"

    def tell(self, news: Data) -> None:
        for reader in self._readers:
            reader.put(self.text(news))

    def stop(self) -> None:
        for reader in self._readers:
            reader.put(None)
        self._readers.clear()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()


class Opened:
    def __init__(self, page: Page, benchmark: Benchmark) -> None:
        self.page = page
        self.benchmark = benchmark
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def connection(self, state: str) -> None:
        expect(self.page.locator("#connection")).to_have_attribute("data-state", state, timeout=_PATIENCE_MS)

    def tile(self, name: str, value: str) -> None:
        tile = self.page.locator(".tile", has_text=name).locator("b")
        expect(tile).to_have_text(value, timeout=_PATIENCE_MS)

    def check(self) -> None:
        """Nothing that is no figure, and nothing that sticks out at the side."""
        text = self.page.locator("body").inner_text()
        assert _SLIPS.search(text) is None, text
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _running() -> Data:
    """What a reader sees who comes while the first run goes on, in its measurement."""
    known, *later = _golden()
    for news in later:
        if news["run"]["steps"]["points"]:
            break
        before, run = known["run"], news["run"]
        for part in ("phases", "ticks", "periods", "steps"):
            points = before[part]["points"][: run[part]["from"]] + run[part]["points"]
            run[part] = {"from": 0, "points": points}
        known["run"] = run
    return known


def _second(ticks: int, messages: int, verdict: str | None = "OK") -> Data:
    news = [news for news in _golden() if news["run"]["ticks"]["points"]][-1]
    run = news["run"]
    run["ticks"]["from"] = ticks
    tick = run["ticks"]["points"][-1]
    tick["atMs"] += 1000
    for kind in ("sent", "acknowledged", "received"):
        tick["counts"][kind] += messages
    run["now"]["verdict"] = verdict
    if verdict == "OK":
        run["now"]["findings"] = []
    return news


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_QUIET, timeout=_PATIENCE_MS)
        yield browser
        browser.close()


@pytest.fixture(params=["wide and light", "phone and dark"])
def opened(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Opened]:
    wide = request.param == "wide and light"
    benchmark = Benchmark(_running())
    benchmark.start()
    context = browser.new_context(
        viewport={"width": 1400 if wide else 390, "height": 900},
        color_scheme="light" if wide else "dark",
        reduced_motion="reduce",
    )
    context.set_default_timeout(_PATIENCE_MS)
    opened = Opened(context.new_page(), benchmark)
    opened.page.goto(f"http://127.0.0.1:{benchmark.port}/")
    opened.connection("live")
    yield opened
    context.close()
    benchmark.stop()
    assert opened.complaints == []


def test_it_comes_and_moves_and_shows_invalid_as_it_happens(opened: Opened) -> None:
    page = opened.page
    expect(page.locator("#title")).to_have_text("rates/fake/slow, repetition 1")
    expect(page.locator("#place")).to_contain_text("plan compare · run 1 of 2")
    ticks = len(opened.benchmark.first["run"]["ticks"]["points"])
    opened.benchmark.tell(_second(ticks, 1234))
    opened.tile("published", "1,234 msg/s")
    expect(page.locator("#verdict")).to_have_text("OK so far")
    expect(page.locator("#no-findings")).to_have_text("No findings so far.")
    opened.check()

    opened.benchmark.tell(_second(ticks + 1, 2234, "INVALID"))
    expect(page.locator("#verdict")).to_have_text("INVALID so far")
    expect(page.locator("#findings li").first).to_contain_text("target rate missed")
    expect(page).to_have_title(re.compile("^INVALID"))
    opened.check()


def test_charts_are_drawn_with_their_figures_in_words_and_follow_the_pointer(opened: Opened) -> None:
    page = opened.page
    for chart in ("rates", "backlog", "percentiles", "heat", "cpu", "memory"):
        canvas = page.locator(f"#chart-{chart}")
        canvas.scroll_into_view_if_needed()
        colours = canvas.evaluate(
            "(canvas) => new Set(new Uint32Array(canvas.getContext('2d')"
            ".getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"
        )
        assert colours > 10, f"{chart} is empty"
    expect(page.locator("#chart-percentiles")).to_have_attribute("aria-label", re.compile(r"p99\.9 1\.00 s"))
    expect(page.locator("#chart-cpu")).to_have_attribute("aria-label", re.compile(r"broker 1\.23 CPU"))
    page.locator("#chart-rates").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#chart-rates + .legend")).to_contain_text("at ")
    opened.check()


def test_the_bar_is_the_progress_of_the_run_and_of_those_before_it(opened: Opened) -> None:
    bar = opened.page.locator("#bar")
    for runs, ended, done, value in ((1, 0, 0.4, 0.4), (3, 1, 0.5, 1.5), (1, 1, None, 1), (1, 0, None, None)):
        snapshot = _running()
        snapshot["progress"] |= {"plan": "", "count": runs, "outcomes": {"OK": ended} if ended else {}}
        snapshot["progress"]["current"]["done"] = done
        opened.benchmark.first = snapshot
        opened.page.reload()
        if value is None:
            expect(bar).to_be_hidden()
        else:
            expect(bar).to_have_js_property("max", runs)
            expect(bar).to_have_js_property("value", value)


def test_latencies_are_those_from_the_intended_send(opened: Opened) -> None:
    snapshot = _running()
    snapshot["run"]["periods"]["points"][-1]["latencies"]["scheduledPublish"]["p99Ns"] = 7_000_000
    opened.benchmark.first = snapshot
    opened.page.reload()
    opened.tile("publish p99, from the intended send", "7.00 ms")
    tile = opened.page.locator(".tile", has_text="publish p99")
    expect(tile).to_contain_text("from the actual send: p99 4.00 ms")
    expect(opened.page.locator("#latency")).to_have_value("scheduledPublish")
    opened.check()


def test_faults_workers_resources_and_errors_have_tables(opened: Opened) -> None:
    page = opened.page
    expect(page.locator("#faults")).to_contain_text("killed fake-1 (leader)")
    expect(page.locator("#faults")).to_contain_text("undone after 1s")
    expect(page.locator("#workers")).to_contain_text("−3.00 µs ± 41.0 µs")
    expect(page.locator("#workers")).to_contain_text("lost: its process was restarted")
    expect(page.locator("#uses")).to_contain_text("512 MiB")
    expect(page.locator("#errors")).to_contain_text("send: <i>x</i>")
    opened.check()


def test_figures_of_an_earlier_phase_say_of_when_they_are(opened: Opened) -> None:
    page = opened.page
    said = re.compile(r"as of .*\d\d:\d\d:\d\d, measure")
    tile = page.locator(".tile", has_text="publish p99")
    expect(tile).not_to_contain_text("as of")
    expect(page.locator("#uses-when")).to_have_text("")

    run = opened.benchmark.first["run"]
    end_ms = run["periods"]["points"][-1]["endMs"]
    run["phases"]["points"].append({"name": "search", "atMs": end_ms + 1})
    run["now"] |= {"phase": "search", "leftMs": 2000}
    page.reload()
    expect(page.locator("#left")).to_have_text("this part of a try: 2s left")
    expect(tile).to_contain_text(said)
    expect(tile).to_contain_text("4.00 ms")
    for place in ("#uses-when", "#workers-when", "#chart-cpu + .legend"):
        expect(page.locator(place)).to_have_text(said)
    expect(page.locator("#chart-rates + .legend")).not_to_contain_text("as of")
    opened.check()


def test_tile_and_legend_agree_on_what_is_asked_for(opened: Opened) -> None:
    ticks = opened.benchmark.first["run"]["ticks"]["points"]
    for target, legend, tile in (
        (86.2, "asked for 86.2 msg/s", "86.2 msg/s asked for"),
        (0, f"asked for {_NOTHING}", "no messages are asked for"),
        (None, f"asked for {_NOTHING}", "as much as the client accepts"),
    ):
        ticks[-1]["targetMsgPerSec"] = target
        opened.page.reload()
        expect(opened.page.locator(".tile", has_text="published")).to_contain_text(tile)
        expect(opened.page.locator("#chart-rates + .legend")).to_contain_text(legend)
    opened.check()


def test_a_row_of_resources_without_figures_is_left_out(opened: Opened) -> None:
    uses = opened.benchmark.first["run"]["uses"]
    uses.append({"name": "10.0.0.1:28744", "role": "broker", "figures": {"anotherFigure": 1.0}})
    opened.page.reload()
    expect(opened.page.locator("#uses tbody tr")).to_have_count(len(uses) - 1)
    expect(opened.page.locator("#uses")).not_to_contain_text("28744")
    opened.check()


def test_a_lost_connection_is_said_and_made_up_for(opened: Opened) -> None:
    benchmark = opened.benchmark
    benchmark.stop()
    opened.connection("lost")
    expect(opened.page.locator("#updated")).to_contain_text("This page keeps trying.")
    opened.tile("failed", "0")

    tick = benchmark.first["run"]["ticks"]["points"][-1]
    tick["counts"]["failed"] = 77
    benchmark.start()
    opened.connection("live")
    opened.tile("failed", "77")
    opened.check()
    opened.complaints = [complaint for complaint in opened.complaints if not _GONE.search(complaint)]


def test_the_end_is_said_and_the_page_stays(opened: Opened) -> None:
    page = opened.page
    opened.benchmark.tell(_ended())
    opened.benchmark.tell(_golden()[-1])
    opened.connection("ended")
    opened.benchmark.stop()
    expect(page.locator("#place")).to_contain_text("ended: 1 of 2 runs")
    expect(page.locator("#runs tbody tr")).to_have_count(1)
    expect(page.locator("#runs .verdict")).to_have_text("INVALID")
    expect(page.locator("#verdict")).to_have_text("INVALID")
    opened.connection("ended")
    opened.check()


def test_names_of_the_user_are_text(opened: Opened) -> None:
    page = opened.page
    evil = "<img src=x onerror=document.title='run'> </script><script>document.title='run'</script>"
    news = _ended()
    head = news["run"]["head"]
    head["driver"] = head["workload"] = head["load"] = evil
    news["rows"][0] |= {"title": evil, "why": evil, "number": 7}
    news["progress"] |= {"plan": evil, "current": {"number": 1, "title": evil}}
    opened.benchmark.tell(news)
    expect(page.locator("#title")).to_have_text(evil)
    expect(page.locator("#runs tbody th").first).to_have_text(f"7. {evil}")
    assert page.locator("img").count() == 0
    assert page.title() != "run"
    opened.check()


def test_a_plan_of_two_days_is_shown_as_a_whole(opened: Opened) -> None:
    snapshot = _running()
    run = snapshot["run"]
    begin = run["head"]["beginMs"]
    tick, period = run["ticks"]["points"][-1], run["periods"]["points"][-1]
    day_ms = 86_400_000
    run["ticks"]["points"] = [
        {**tick, "atMs": begin + i * 2 * day_ms // 600, "counts": dict.fromkeys(tick["counts"], i * 10**8)}
        for i in range(600)
    ]
    run["periods"]["points"] = [
        {**period, "startMs": begin + i * 2 * day_ms // 240, "endMs": begin + (i + 1) * 2 * day_ms // 240}
        for i in range(240)
    ]
    (row,) = _ended()["rows"]
    snapshot["rows"] = [{**row, "number": i + 1, "title": f"cell {i}"} for i in range(200)]
    snapshot["progress"] |= {"count": 250, "outcomes": {"INVALID": 200}}
    opened.benchmark.first = snapshot
    opened.page.reload()
    expect(opened.page.locator("#runs tbody tr")).to_have_count(200)
    expect(opened.page.locator("#counts")).to_have_text("200 INVALID ")
    opened.check()


def test_before_the_first_run_it_says_so(opened: Opened) -> None:
    snapshot = _running()
    snapshot["run"] = None
    snapshot["progress"] |= {"doing": "getting a broker ready", "outcomes": {}}
    opened.benchmark.first = snapshot
    opened.page.reload()
    expect(opened.page.locator("#phase")).to_have_text("getting a broker ready")
    expect(opened.page.locator("#counts")).to_have_text("None so far.")
    expect(opened.page.locator("#charts-part")).to_be_hidden()
    opened.check()


def test_the_theme_is_the_readers(opened: Opened, request: pytest.FixtureRequest) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = "dark" not in request.node.name
    assert (opened.page.evaluate(background) == "rgb(255, 255, 255)") == light
    opened.page.click("#theme")
    opened.page.wait_for_function(f"({background} !== 'rgb(255, 255, 255)') === {str(light).lower()}")
