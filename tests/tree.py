"""The repository's own files, for tests about the repository."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = ("steadygrid", "app", "workers", "migrations", "benchmarks")


@cache
def tracked_files() -> tuple[Path, ...]:
    """All files under version control; everything in the source folders without git."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode:
        folders = (*CODE, "tests", "docs", "examples")
        return tuple(p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file())
    names = listing.stdout.decode().split("\0")
    return tuple(ROOT / name for name in names if name and (ROOT / name).is_file())


def modules(*folders: str) -> list[Path]:
    """The Python files of some top-level folders."""
    wanted = {ROOT / folder for folder in folders}
    return [p for p in tracked_files() if p.suffix == ".py" and wanted & set(p.parents)]


def name_of(path: Path) -> str:
    """A file's name from the root of the repository."""
    return path.relative_to(ROOT).as_posix()


@cache
def syntax_of(path: Path) -> ast.Module:
    """The syntax tree of a file, which nothing changes: tests of one process share it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """The modules that a file imports, in full; with ``from a import b`` both a and a.b."""
    found: set[str] = set()
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)
