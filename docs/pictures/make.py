"""Makes the pictures of the README from real runs: the console, the live page, the report. Called by docs/pictures/make.

Takes some four minutes. It starts a local Kafka and a local Redis; needs a Chromium.
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
# The live page is taken this long after the measurement has begun.
AFTER_S = 28


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
    """Returns what the runs have printed."""
    command = [
        *(str(HOME / "bin/benchmark"), "--ui-port", "0", "--brokers", "local", "-d", "kafka-fast,redis-fast"),
        str(PICTURES / "load.yaml"),
    ]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            address = re.match(r"live page: (\S+)", line)
            if address:
                page = browser.new_page(viewport={"width": WIDTH, "height": 1180})
                page.goto(address.group(1))
                page.get_by_text("run 2 of 2").first.wait_for(timeout=180_000)
                page.get_by_text("measure", exact=True).first.wait_for(timeout=120_000)
                page.wait_for_timeout(AFTER_S * 1000)
                _save(page.screenshot(), "live")
    first = next(i for i, line in enumerate(lines) if line.startswith("run 1 of 2"))
    second = next(i for i, line in enumerate(lines) if "redis, 1 node(s)" in line)
    return "".join(line for line in lines[first:second] if not line.startswith(("warm-up", "measure")))


def _report(folder: Path, browser: Browser) -> None:
    subprocess.run([HOME / "bin/charts", "results", "-o", "out"], cwd=folder, check=True)
    page = browser.new_page(viewport={"width": WIDTH, "height": 900})
    page.goto((folder / "out/report.html").as_uri())
    page.wait_for_timeout(2000)
    _save(page.screenshot(), "report")


def _take_text(browser: Browser, text: str) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": 100})
    shown = html.escape("$ bin/benchmark -d kafka-fast docs/pictures/load.yaml\n" + text)
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
