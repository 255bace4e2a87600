"""Download the packages of the corpus through the ordinary clients of their registries."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

Fetched = tuple[str, str, Path]
"""Package name, version, and the archive or folder that holds its files."""


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def fetch_pypi(name: str, folder: Path) -> Fetched | None:
    target = folder / "wheel" / name
    if not list(target.glob("*.whl")):
        run(["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(target), name], folder)
    for wheel in target.glob("*.whl"):
        return name, wheel.name.split("-")[1], wheel
    return None


def fetch_npm(name: str, folder: Path) -> Fetched | None:
    target = folder / re.sub(r"\W+", "_", name)
    target.mkdir(exist_ok=True)
    if not list(target.glob("*.tgz")):
        run(["npm", "pack", "--silent", "--ignore-scripts", name], target)
    for archive in target.glob("*.tgz"):
        return name, re.sub(r"^.*?-(\d[^/]*)\.tgz$", r"\1", archive.name), archive
    return None


def fetch_cargo(name: str, folder: Path) -> Fetched | None:
    project = folder / name
    if not (project / "vendor" / name).exists():
        (project / "src").mkdir(parents=True, exist_ok=True)
        (project / "src" / "lib.rs").touch()
        manifest = '[package]\nname = "corpus"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        (project / "Cargo.toml").write_text(f'{manifest}{name} = "*"\n')
        run(["cargo", "vendor", "--quiet"], project)
        for dependency in (project / "vendor").glob("*"):
            if dependency.name != name:
                shutil.rmtree(dependency)
    if not (project / "vendor" / name).exists():
        return None
    version = re.search(r'^version = "([^"]+)"', (project / "vendor" / name / "Cargo.toml").read_text(), re.MULTILINE)
    return name, version[1] if version else "?", project / "vendor" / name


def fetch_go(name: str, folder: Path) -> Fetched | None:
    done = run(["go", "mod", "download", "-json", f"{name}@latest"], folder)
    if done.returncode:
        return None
    answer = json.loads(done.stdout)
    return name, answer["Version"], Path(answer["Zip"])


def fetch_maven(name: str, folder: Path) -> Fetched | None:
    artifact = name.split(":")[1]
    target = folder / artifact
    if not list(target.glob("*.jar")):
        command = ["mvn", "--batch-mode", "--quiet", "dependency:copy", f"-Dartifact={name}:LATEST:jar:sources"]
        run([*command, f"-DoutputDirectory={target}", "-Dmdep.useBaseVersion=true"], folder)
    for archive in target.glob("*.jar"):
        return name, archive.name.removeprefix(artifact + "-").removesuffix("-sources.jar"), archive
    return None


def apt_options(folder: Path) -> list[str]:
    """Return options for a private apt that lists sources; made from the system's own list of binary archives."""
    for name in ("state/lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    options = [
        *("-o", f"Dir::State={folder}/state", "-o", "Dir::State::status=/var/lib/dpkg/status"),
        *("-o", f"Dir::Cache={folder}/cache"),
        *("-o", f"Dir::Etc::sourceparts={folder}/sources.list.d", "-o", "Dir::Etc::sourcelist=/dev/null"),
        *("-o", "APT::Sandbox::User=root"),
    ]
    lists = folder / "sources.list.d"
    if not lists.exists():
        lists.mkdir()
        system = Path("/etc/apt/sources.list.d/debian.sources").read_text()
        (lists / "source.sources").write_text(system.replace("Types: deb\n", "Types: deb-src\n"))
        run(["apt-get", "--quiet", *options, "update"], folder)
    return options


def fetch_debian(name: str, folder: Path) -> Fetched | None:
    target = folder / "packages" / name
    target.mkdir(parents=True, exist_ok=True)
    if not list(target.glob("*.dsc")):
        run(["apt-get", "--quiet", *apt_options(folder), "source", "--download-only", name], target)
    descriptions = list(target.glob("*.dsc"))
    originals = [path for path in target.glob("*.tar.*") if ".debian.tar" not in path.name and path.suffix != ".asc"]
    if not descriptions or not originals:
        return None
    largest = max(originals, key=lambda path: path.stat().st_size)
    return name, descriptions[0].name.removesuffix(".dsc").split("_", 1)[1], largest


FETCHERS: dict[str, Callable[[str, Path], Fetched | None]] = {
    "pypi": fetch_pypi,
    "npm": fetch_npm,
    "cargo": fetch_cargo,
    "go": fetch_go,
    "maven": fetch_maven,
    "debian": fetch_debian,
}


def fetch_all(packages: dict[str, dict[str, list[str]]], folder: Path) -> Iterator[tuple[str, Fetched]]:
    """Yield registry and package in the order of the list; a package that cannot be had is an error."""
    for registry, entry in packages.items():
        place = folder / registry
        place.mkdir(parents=True, exist_ok=True)
        for name in entry["names"]:
            fetched = FETCHERS[registry](name, place)
            if fetched is None:
                print(f"{registry} {name}: cannot be downloaded, left out")
                continue
            yield registry, fetched
