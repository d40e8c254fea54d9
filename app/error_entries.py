"""Where the guide describes an error: what refusals and failed jobs give as `help`."""

from urllib.parse import urlsplit

from app.settings import Settings
from steadygrid.domain.codes import CODES
from steadygrid.domain.codes.text import anchor_of

GUIDE = "/docs/guide"
PAGE_OF_ERRORS = "reference/generated/errors.html"


class ErrorEntries:
    """The entries of errors in the guide.

    Parameters
    ----------
    settings
        Name the folder of the guide, and the path of the service.
    """

    def __init__(self, settings: Settings) -> None:
        self._page = settings.guide_folder / PAGE_OF_ERRORS
        self._root = urlsplit(settings.public_url or "").path.rstrip("/")

    def path_of(self, code: str) -> str | None:
        """Give the path of the entry of a code. None where the guide is not installed.

        Parameters
        ----------
        code
            Of a refusal, or of a failed job.
        """
        if code not in CODES or not self._page.is_file():
            return None
        return f"{self._root}{GUIDE}/{PAGE_OF_ERRORS}#{anchor_of(code)}"

    def members(self, code: str) -> dict[str, str]:
        """Give the member `help` of problem details; empty where the guide has no entry.

        Parameters
        ----------
        code
            Of a refusal, or of a failed job.
        """
        path = self.path_of(code)
        return {} if path is None else {"help": path}
