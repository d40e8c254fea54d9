"""Commands that run in this process, with or without the real pipeline."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import steadygrid.cli.command
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.solving import Told
from steadygrid.submissions.submission import Submission
from tests.cli.commands import Command, Finished, write
from tests.databases import database, postgres, sqlite_file

__all__ = ["database", "postgres", "sqlite_file"]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process."""

    def run(*arguments: str | Path) -> Finished:
        with pytest.raises(SystemExit) as exit_:
            steadygrid.cli.command.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        code = exit_.value.code
        assert isinstance(code, int)
        assert "Traceback" not in err
        return Finished(code, out, err)

    return run


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Replace the pipeline by one that gives, or raises, what a test wants."""

    def install(answer: Any) -> None:
        def run(submission: Submission, limits: Limits, memory: int, report: Told | None) -> Any:
            assert submission.document()
            assert limits.max_processors
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr("steadygrid.cli.answering.run_pipeline", run)

    return install


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return write(tmp_path / "body.json", PROBLEMS["master_worker"].example)
