"""Brings released packages by their registries' own clients, checks them, and unpacks them once."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
# Before the second attempt, doubled before each further one: registries answer with passing errors.
_PAUSE_S = 5.0
_TIMEOUT_S = 120.0
_CLIENTS = {"npm": "npm", "crates": "cargo", "go": "go"}


@dataclass(frozen=True, slots=True)
class Package:
    """One entry of packages.toml; `first` and `in_five` count its tasks that succeed."""

    key: str
    registry: str
    name: str
    version: str
    archive_sha256: str
    folder: str
    language: str
    first: int
    in_five: int


def load_packages() -> list[Package]:
    """Return the packages in the file's order."""
    table = tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))
    return [Package(key=key, **entry) for key, entry in table.items()]


def missing_client(package: Package, cache: Path) -> str | None:
    """Return the registry client that is needed and not installed, None where nothing is in the way."""
    client = _CLIENTS.get(package.registry)
    needed = client is not None and not _folder(package, cache).is_dir() and shutil.which(client) is None
    return client if needed else None


def unpack(package: Package, cache: Path, *, attempts: int = 3) -> Path:
    """Return the folder to index; what is in the cache needs no network.

    Raises:
        SystemExit: the registry cannot be reached, or the archive is not the one that the tasks were written for.
    """
    home = _home(package, cache)
    folder = _folder(package, cache)
    if folder.is_dir():
        return folder
    fresh = cache / f"{package.key}.fetched"
    archive = _fetch(package, fresh, attempts)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.archive_sha256:
        raise SystemExit(f"{archive.name} has SHA-256 {found}: {package.archive_sha256} was expected")
    _extract(archive, fresh / "tree")
    shutil.rmtree(home, ignore_errors=True)
    (fresh / "tree").rename(home)
    shutil.rmtree(fresh)
    return folder


def _home(package: Package, cache: Path) -> Path:
    return cache / f"{package.key}-{package.version}"


def _folder(package: Package, cache: Path) -> Path:
    return _home(package, cache) / package.folder


def _fetch(package: Package, folder: Path, attempts: int) -> Path:
    problem = ""
    for attempt in range(attempts):
        if attempt:
            pause_s = _PAUSE_S * 2 ** (attempt - 1)
            print(f"{package.name} {package.version}: {problem}; trying again in {pause_s:g} s", file=sys.stderr)
            time.sleep(pause_s)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            return _FETCHERS[package.registry](package, folder)
        except (subprocess.SubprocessError, OSError, StopIteration, KeyError, ValueError) as error:
            problem = str(error) or type(error).__name__
    raise SystemExit(
        f"{package.name} {package.version} cannot be fetched ({problem}): the evaluation needs the {package.registry} "
        f"registry once; connect, or point --cache at a folder where it ran before"
    )


def _run(*command: str, cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
        timeout=_TIMEOUT_S,
    )
    return done.stdout


def _from_pypi(package: Package, folder: Path) -> Path:
    wanted = f"{package.name}=={package.version}"
    _run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
        *("--no-binary", package.name, "--dest", ".", wanted),
        cwd=folder,
    )
    return next(folder.glob("*.tar.gz"))


def _from_npm(package: Package, folder: Path) -> Path:
    _run("npm", "pack", "--silent", f"{package.name}@{package.version}", cwd=folder)
    return next(folder.glob("*.tgz"))


def _from_crates(package: Package, folder: Path) -> Path:
    (folder / "src").mkdir()
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
        f'{package.name} = {{ version = "={package.version}", default-features = false }}\n'
    )
    # Relative, it would be taken from the folder that cargo runs in.
    home = (folder / "cargo").resolve()
    _run("cargo", "fetch", "--quiet", cwd=folder, environment={"CARGO_HOME": str(home), **_cargo_settings()})
    return next(home.glob(f"registry/cache/*/{package.name}-{package.version}.crate"))


def _cargo_settings() -> dict[str, str]:
    """Return the user's registry settings, which a separate home would hide."""
    user = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    found = next((user / name for name in ("config.toml", "config") if (user / name).is_file()), None)
    if found is None:
        return {}
    settings = tomllib.loads(found.read_text(encoding="utf-8")).get("source", {})
    entries = {}
    for source, values in settings.items():
        for name, value in values.items():
            key = f"CARGO_SOURCE_{source}_{name}".upper().replace("-", "_")
            entries[key] = str(value)
    return entries


def _from_go(package: Package, folder: Path) -> Path:
    described = json.loads(_run("go", "mod", "download", "-json", f"{package.name}@{package.version}", cwd=folder))
    return Path(described["Zip"])


_FETCHERS = {"pypi": _from_pypi, "npm": _from_npm, "crates": _from_crates, "go": _from_go}


def _extract(archive: Path, target: Path) -> None:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(target)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(target, filter="data")
