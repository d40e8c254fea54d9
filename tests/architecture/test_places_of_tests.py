"""Where tests stand: at the place of what they test."""

from pathlib import Path

from tests.tree import ROOT, modules, tracked_files

WHOLE = {
    "acceptance": "the service and the command from outside, answers checked by independent code",
    "architecture": "the repository itself",
    "benchmarks": "the measurements of the folder benchmarks",
    "browser": "the pages as a browser shows them, with their scripts",
    "forgery": "the referees of all kinds, with wrong answers that agree with themselves",
    "examples": "the README, the examples and the page for operators, run as they stand",
    "installation": "an installation as a user has it",
    "integration": "service, worker, database and broker together, and their faults",
    "outside": "schedules, in simulators of others",
    "stored": "documents that earlier versions stored",
}
"""The folders of tests that belong to no one place in the source, and what they test."""

HELPERS = {
    "codes.py",
    "conftest.py",
    "coverage_gate.py",
    "data.py",
    "databases.py",
    "draws.py",
    "environment.py",
    "every_answer.py",
    "measured_cases.py",
    "pair_routes.py",
    "releases.py",
    "replay.py",
    "command_table.py",
    "settings_table.py",
    "slow.txt",
    "slow_cases.py",
    "solved.py",
    "sweeps.py",
    "tree.py",
    "twins.py",
    "unmeasured.txt",
    "wording.json",
    "wording.py",
}
"""What tests of several folders share, besides what one folder lends to another."""

PACKAGES = ("steadygrid", "app", "workers")


def source(place: Path) -> list[Path]:
    """Give the folders and modules of the source that stand at this place.

    It is the place in their package. Tests of both halves of a kind are in one folder.
    """
    named = [ROOT / place, *(ROOT / package / place for package in PACKAGES)]
    if place.parts[0] == "kinds":
        kind, *rest = place.parts[1:] or (".",)
        named.append(ROOT / "steadygrid" / "kinds" / kind / "solver" / Path(*rest))
    return [found for path in named for found in (path, path.with_suffix(".py")) if found.exists()]


def places() -> set[Path]:
    """Give the folders with tests, from the folder ``tests``."""
    tests = ROOT / "tests"
    folders = {path.parent for path in tracked_files() if path.name.startswith("test_")}
    return {folder.relative_to(tests) for folder in folders if tests in folder.parents}


def test_a_folder_of_tests_stands_at_the_place_of_what_it_tests() -> None:
    astray = {place for place in places() if place.parts[0] not in WHOLE and not source(place)}
    assert astray == set()


def test_every_folder_for_a_whole_has_tests() -> None:
    assert {place.parts[0] for place in places()} >= set(WHOLE)


def test_every_room_of_a_package_has_a_folder_of_tests() -> None:
    """The resources and the server are tested over HTTP."""
    resources = {
        "applications",
        "grids",
        "jobs",
        "operations",
        "platforms",
        "problem_kinds",
        "schedules",
        "sweeps",
        "webhooks",
    }
    tops = {
        path.relative_to(ROOT / package).parts[0]
        for package in PACKAGES
        for path in modules(package)
        if len(path.relative_to(ROOT / package).parts) > 1
    }
    assert tops - {place.parts[0] for place in places()} == resources | {"server", "commands"}


def test_beside_the_folders_stand_tests_of_single_modules_and_few_helpers() -> None:
    beside = {path.name for path in tracked_files() if path.parent == ROOT / "tests"}
    tests = {name for name in beside if name.startswith("test_")}
    assert {name for name in tests if not source(Path(name.removeprefix("test_")))} == set()
    assert beside - tests == HELPERS
