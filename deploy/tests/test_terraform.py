"""The Terraform modules: read without a provider, and planned with mocked providers where these can be had."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import DEPLOY, LeftOutError, go_tool, run

TERRAFORM = DEPLOY / "terraform"

# A folder with providers, as `tofu providers mirror FOLDER` makes it. They are too large to be built here.
MIRROR = "TF_PROVIDER_MIRROR"
PROVIDERS = {
    "aws": "hashicorp/aws",
    "azure": "hashicorp/azurerm",
    "gcp": "hashicorp/google",
    "hetzner": "hetznercloud/hcloud",
}
CLOUDS = tuple(PROVIDERS)
PLANNED = [
    pytest.param(cloud, marks=pytest.mark.validated(f"Terraform: {cloud}, planned with a mocked provider"))
    for cloud in CLOUDS
]

# What opens SSH to all, and the words with which the module's own test has to fail.
OPENED = {
    "aws": ("= var.ssh_from", '= "0.0.0.0/0"', "SSH is open to others"),
    "azure": ("= var.ssh_from", '= "0.0.0.0/0"', "SSH from others"),
    "gcp": ("[var.ssh_from]", '["0.0.0.0/0"]', "SSH is open to others"),
    "hetzner": ("[var.ssh_from]", '["0.0.0.0/0"]', "SSH from others"),
}


def copied(tmp_path: Path) -> Path:
    """The modules where OpenTofu may leave its files."""
    return shutil.copytree(
        TERRAFORM, tmp_path / "terraform", ignore=shutil.ignore_patterns(".terraform*", "*.tfstate*")
    )


def opened(folder: Path, cloud: str) -> None:
    """Opens SSH to all."""
    main = folder / cloud / "main.tf"
    before, after, _ = OPENED[cloud]
    text = main.read_text()
    assert text.count(before) == 1
    main.write_text(text.replace(before, after))


def tofu(folder: Path, *arguments: str, expected: int = 0) -> str:
    """Runs OpenTofu in a module, with the mirror's providers alone."""
    mirror = os.environ.get(MIRROR)
    configuration = folder.parent / "tofu.rc"
    method = f'filesystem_mirror {{ path = "{Path(mirror).resolve()}" }}' if mirror else "direct {}"
    configuration.write_text(f"provider_installation {{\n{method}\n}}\n")
    environment = {"TF_CLI_CONFIG_FILE": str(configuration), "TF_IN_AUTOMATION": "true"}
    return run([go_tool("tofu"), f"-chdir={folder}", *arguments, "-no-color"], env=environment, expected=expected)


def planned(folder: Path, cloud: str, expected: int = 0) -> str:
    """What the tests of a cloud's module print; they plan with a mocked provider, whose schema is the real one."""
    mirror = os.environ.get(MIRROR)
    if mirror is None or not list(Path(mirror).glob(f"*/{PROVIDERS[cloud]}")):
        raise LeftOutError(f"the provider {PROVIDERS[cloud]} is in no folder that ${MIRROR} names")
    tofu(folder / cloud, "init", "-backend=false")
    tofu(folder / cloud, "validate")
    return tofu(folder / cloud, "test", expected=expected)


def blocks(folder: Path, cloud: str, kind: str) -> dict[str, dict[str, Any]]:
    """The resources of a kind, as they are written."""
    main = json.loads(run([go_tool("hcl2json"), folder / cloud / "main.tf"]))
    return {name: block for name, [block] in main["resource"].get(kind, {}).items()}


def aws_way_in(folder: Path) -> Iterator[tuple[Any, Any]]:
    """As way_in."""
    for rule in blocks(folder, "aws", "aws_vpc_security_group_ingress_rule").values():
        sources = {key: value for key, value in rule.items() if key not in {"security_group_id", "description"}}
        port = sources.pop("ip_protocol"), sources.pop("from_port", None), sources.pop("to_port", None)
        yield port, list(sources.values())


def azure_way_in(folder: Path) -> Iterator[tuple[Any, Any]]:
    """As way_in. What comes from the network itself is let in by Azure's own rules."""
    for firewall in blocks(folder, "azure", "azurerm_network_security_group").values():
        for rule in firewall["security_rule"]:
            yield (rule["direction"], rule["protocol"], rule["destination_port_range"]), [rule["source_address_prefix"]]


def gcp_way_in(folder: Path) -> Iterator[tuple[Any, Any]]:
    """As way_in."""
    for firewall in blocks(folder, "gcp", "google_compute_firewall").values():
        sources = {key: value for key, value in firewall.items() if key.startswith("source_")}
        for rule in firewall["allow"]:
            yield (rule["protocol"], rule.get("ports")), list(sources.items())


def hetzner_way_in(folder: Path) -> Iterator[tuple[Any, Any]]:
    """As way_in."""
    for firewall in blocks(folder, "hetzner", "hcloud_firewall").values():
        for rule in firewall["rule"]:
            yield (rule["protocol"], rule["port"]), rule["source_ips"]


READERS = {"aws": aws_way_in, "azure": azure_way_in, "gcp": gcp_way_in, "hetzner": hetzner_way_in}


def way_in(folder: Path, cloud: str) -> list[tuple[Any, Any]]:
    """Port and source of all that a firewall lets in."""
    return sorted(READERS[cloud](folder), key=str)


WAYS_IN = {
    "aws": [
        (("-1", None, None), ["${aws_security_group.machines.id}"]),
        (("tcp", 22, 22), ["${var.ssh_from}"]),
    ],
    "azure": [(("Inbound", "Tcp", "22"), ["${var.ssh_from}"])],
    "gcp": [
        (("all", None), [("source_tags", ["${var.run}"])]),
        (("tcp", ["22"]), [("source_ranges", ["${var.ssh_from}"])]),
    ],
    "hetzner": [(("tcp", "22"), ["${var.ssh_from}"])],
}
# Kinds of resources and rules that would let in more without being looked at.
UNSEEN = (
    *("aws_security_group_rule", "ingress {", '0.0.0.0/0"]'),
    *("azurerm_network_security_rule", "azurerm_application_security_group"),
    *("google_compute_network_firewall_policy", "google_compute_region_network_firewall_policy"),
)


@pytest.mark.validated("Terraform: form (tofu fmt)")
def test_files_are_formatted() -> None:
    run([go_tool("tofu"), "fmt", "-check", "-diff", "-recursive", TERRAFORM])


@pytest.mark.validated("Terraform: tflint's own rules")
@pytest.mark.parametrize("module", [*CLOUDS, "inventory"])
def test_tflint_finds_nothing(module: str) -> None:
    run([go_tool("tflint"), f"--chdir={TERRAFORM / module}", "--no-color"])


@pytest.mark.validated("Terraform: the same inventory, from Debian's image, with versions pinned (no provider)")
@pytest.mark.parametrize("cloud", CLOUDS)
def test_clouds_differ_in_nothing_that_ansible_sees(cloud: str) -> None:
    main = json.loads(run([go_tool("hcl2json"), TERRAFORM / cloud / "main.tf"]))
    versions = json.loads(run([go_tool("hcl2json"), TERRAFORM / cloud / "versions.tf"]))
    (settings,) = versions["terraform"]
    (providers,) = settings["required_providers"]
    machines = main["locals"][0]["machines"]

    assert [inventory["source"] for inventory in main["module"]["inventory"]] == ["../inventory"]
    assert [re.fullmatch(r"\d+\.\d+\.\d+", provider["version"]) is not None for provider in providers.values()] == [
        True
    ]
    assert all(f"host = {base}" in machines for base in ("10", "100 + n", "200 + n"))
    assert "debian-13" in (TERRAFORM / cloud / "main.tf").read_text()


@pytest.mark.ran("Terraform: inventory for Ansible (tofu test)")
def test_inventory_has_every_machine(tmp_path: Path) -> None:
    assert "2 passed, 0 failed" in tofu(copied(tmp_path) / "inventory", "test")


@pytest.mark.validated("Terraform: who gets in, as it is written (no provider)")
@pytest.mark.parametrize("cloud", CLOUDS)
def test_machines_let_in_each_other_and_ssh_alone(cloud: str) -> None:
    assert way_in(TERRAFORM, cloud) == WAYS_IN[cloud]
    main = (TERRAFORM / cloud / "main.tf").read_text()
    assert not [word for word in UNSEEN if word in main]


@pytest.mark.validated("Terraform: who gets in, as it is written (no provider)")
@pytest.mark.parametrize("cloud", CLOUDS)
def test_ssh_for_all_would_be_found_without_a_provider(cloud: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    opened(folder, cloud)
    assert way_in(folder, cloud) != WAYS_IN[cloud]


@pytest.mark.validated("Terraform: who gets in, as it is written (no provider)")
@pytest.mark.parametrize("cloud", CLOUDS)
def test_user_has_to_say_who_logs_in_with_which_key(cloud: str) -> None:
    variables = json.loads(run([go_tool("hcl2json"), TERRAFORM / cloud / "variables.tf"]))["variable"]
    assert {name for name, [variable] in variables.items() if "default" not in variable} == {
        "run",
        "ssh_from",
        "public_key",
    }


@pytest.mark.parametrize("cloud", PLANNED)
def test_plan_is_what_was_asked_for(cloud: str, tmp_path: Path) -> None:
    assert "0 failed" in planned(copied(tmp_path), cloud)


@pytest.mark.parametrize("cloud", PLANNED)
def test_ssh_for_all_fails_the_plan(cloud: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    opened(folder, cloud)
    assert OPENED[cloud][2] in planned(folder, cloud, expected=1)
