"""Julia: included files, and modules by name."""

import re

from ctxsieve.languages.resolution.project import EdgeKind, ImportResolver, Target

__all__ = ["Resolver"]

_INCLUDE = re.compile(r"include\s*\(\s*(?:joinpath\s*\()?([^)]*)")
_LITERAL = re.compile(r"\"([^\"\n]+)\"")
_USING = re.compile(r"(?:using|import)\s+(.*)", re.DOTALL)


class Resolver(ImportResolver):
    """Resolves `include` beside the file, `using .M` to the nearest file that defines M, `using P` to `src/P.jl`."""

    def targets_of(self, text: str, document: int) -> list[Target]:
        """Return the included file, or the files of the named modules."""
        directory = self.project.directories[document]
        match = _INCLUDE.match(text)
        if match is not None:
            name = "/".join(_LITERAL.findall(match[1]))
            found = self.project.find_joined(directory, name) if name else None
            return [] if found is None else [(found, EdgeKind.INCLUDE)]
        match = _USING.match(text)
        targets: list[Target] = []
        for part in match[1].partition(":")[0].split(",") if match else ():
            module = part.strip()
            found = self._module(module, directory)
            if found is not None:
                targets.append((found, EdgeKind.IMPORT))
        return targets

    def _module(self, module: str, directory: str) -> int | None:
        name = module.lstrip(".").split(".")[0]
        if not name:
            return None
        files = self.project.by_name.get(f"{name}.jl", ())
        if module.startswith("."):
            mine = [file for file in self.own if file in self.project.defining(name)]
            return self.project.nearest(mine or files, directory)
        return self.project.nearest(
            [file for file in files if self.project.paths[file].endswith(f"src/{name}.jl")], directory
        )
