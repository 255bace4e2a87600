"""Brings released packages by their registries' own clients, checks them, and unpacks them once."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Package:
    """One entry of packages.toml."""

    key: str
    registry: str
    name: str
    version: str
    archive_sha256: str
    folder: str
    language: str


def load_packages() -> list[Package]:
    """Return the packages in the file's order."""
    table = tomllib.loads((HERE / "packages.toml").read_text(encoding="utf-8"))
    return [Package(key=key, **entry) for key, entry in table.items()]


def unpack(package: Package, cache: Path) -> Path:
    """Return the folder to index; what is in the cache needs no network.

    Raises:
        SystemExit: the archive is not the one that the tasks were written for.
    """
    home = cache / f"{package.key}-{package.version}"
    folder = home / package.folder
    if folder.is_dir():
        return folder
    fresh = cache / f"{package.key}.fetched"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    archive = _FETCHERS[package.registry](package, fresh)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.archive_sha256:
        raise SystemExit(f"{archive.name} has SHA-256 {found}: {package.archive_sha256} was expected")
    _extract(archive, fresh / "tree")
    shutil.rmtree(home, ignore_errors=True)
    (fresh / "tree").rename(home)
    shutil.rmtree(fresh)
    return folder


def _run(*command: str, cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
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
    home = folder / "cargo"
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
