"""deploy/versions.yaml: the one place for versions of what comes from elsewhere."""

import re
from datetime import date

import pytest

from compose_file import FILE
from tools import DEPLOY, GO_PACKAGES, HOME, VERSIONS, run

# Files that name images; libraries and local brokers are the POMs' affair.
NAMING = (FILE, DEPLOY / "container/Containerfile", DEPLOY / "ci/gitlab-ci.yml")


@pytest.mark.validated("versions: the same in all files (versions.yaml)")
def test_files_name_the_images_that_are_listed() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in NAMING)
    named = {image: set(re.findall(rf"{re.escape(image)}:(\S+)", text)) for image in VERSIONS["images"]}

    assert named == {image: {listed["tag"]} for image, listed in VERSIONS["images"].items()}
    assert {module for module, _ in GO_PACKAGES.values()} == set(VERSIONS["go"])


@pytest.mark.ran("versions: what bin/versions says of images that may be out of date")
def test_versions_lists_images_whose_day_has_come() -> None:
    listed = {f"{image}:{it['tag']}": it["until"] for image, it in VERSIONS["images"].items()}
    # Without Maven and Go: a function of the script, as it is.
    script = (HOME / "bin/versions").read_text(encoding="utf-8")
    (images,) = re.findall(r"^images\(\) \{\n.*?^\}$", script, re.MULTILINE | re.DOTALL)

    def said(today: date) -> set[str]:
        told = run(["bash", "-c", f"date() {{ echo {today}; }}\n{images}\nimages"], cwd=HOME)
        return {line.split(": since ")[0] for line in told.splitlines()}

    assert said(date.min) == set()
    assert said(date.max) == set(listed)
    assert said(min(listed.values())) == {min(listed, key=listed.__getitem__)}
