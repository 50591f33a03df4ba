"""Makes the pictures of the README from a real comparison: the console, the live page, the report. Called by docs/pictures/make.

Takes some ten minutes, during which the machine should do nothing else. Starts a local Kafka and a local Redis; needs a
Chromium.
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

HOME = Path(__file__).resolve().parents[2]
PICTURES = HOME / "docs/pictures"
WIDTH = 1200
COLOURS = 64
COMMAND = "bin/benchmark quick kafka redis --rate 1000 --partitions 3 --subscriptions 2 --repetitions 4 --minutes 4"
# The page is open during this run alone: where a browser draws without a GPU, that takes a third of a processor.
SHOWN_RUN = re.compile("Redis.*, repetition 1 of 4: ")
LAST_RUN = re.compile("Redis.*, repetition 4 of 4: ")
# The live page is taken this long after the measurement has begun.
AFTER_S = 20


def main() -> None:
    """Runs, and takes a picture of each thing that a user sees."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        printed = _run(Path(folder), browser)
        _take_text(browser, printed)
        _report(Path(folder), browser)
        browser.close()


def _run(folder: Path, browser: Browser) -> str:
    """Returns what was printed from the last run on."""
    command = [HOME / COMMAND.split()[0], *COMMAND.split()[1:], "--ui-port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        lines: list[str] = []
        address = ""
        for line in process.stdout or ():
            lines.append(line)
            if found := re.match(r"live page: (\S+)", line):
                address = found.group(1)
            if SHOWN_RUN.match(line):
                page = browser.new_page(viewport={"width": WIDTH, "height": 1180})
                page.goto(address)
                page.get_by_text("measure", exact=True).first.wait_for(timeout=300_000)
                page.wait_for_timeout(AFTER_S * 1000)
                _save(page.screenshot(), "live")
                page.close()
    last = next(i for i, line in enumerate(lines) if LAST_RUN.match(line))
    return "".join(line for line in lines[last:] if not line.startswith(("warm-up", "measure")))


def _report(folder: Path, browser: Browser) -> None:
    subprocess.run([HOME / "bin/charts", "results", "-o", "out"], cwd=folder, check=True)
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    page.goto((folder / "out/report.html").as_uri())
    page.wait_for_timeout(2000)
    _save(page.screenshot(), "report")


def _take_text(browser: Browser, text: str) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": 100})
    shown = html.escape(f"$ {COMMAND}\n…\n{text}")
    page.set_content(
        "<body style='margin:0;background:#1b1f24'><pre style='margin:0;padding:20px;color:#e6e6e6;"
        f"font:15px/1.4 DejaVu Sans Mono,monospace'>{shown}</pre>"
    )
    _save(page.screenshot(full_page=True), "console")


def _save(png: bytes, name: str) -> None:
    """With few colours, so that it stays small."""
    path = PICTURES / f"{name}.png"
    path.write_bytes(png)
    with Image.open(path) as image:
        image.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
