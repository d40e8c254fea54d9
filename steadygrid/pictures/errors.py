"""What can go wrong with a picture, each with a stable code. The class docstring opens the message."""

from collections.abc import Iterable, Sequence

from steadygrid.domain.errors import Fault, format_pointer, opening_of


class PictureError(Exception):
    """There is no picture.

    Attributes
    ----------
    code
        Stable; what programs read.
    detail
        One sentence or two.
    faults
        All that was found, where it was what the picture was to be that is at fault.
    """

    code = "picture_failed"

    def __init__(self, detail: str = "", faults: Iterable[Fault] = ()) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        if not detail and self.faults:
            detail = "; ".join(f"{format_pointer(f.pointer)}: {f.detail}" for f in self.faults[:5])
        opening = opening_of(type(self))
        self.detail = f"{opening} {detail}".strip()
        super().__init__(self.detail)


class PictureFailed(PictureError):
    """The picture could not be drawn."""


class PicturesNotInstalled(PictureError):
    """Pictures need an extra: pip install 'steadygrid[pictures]'."""

    code = "pictures_not_installed"


class NoSuchPicture(PictureError):
    """There is no such picture."""

    code = "no_such_picture"


class UnfitPicture(PictureError):
    """The picture cannot be as it was asked for."""

    code = "invalid_request"


PICTURE_ERRORS: tuple[type[PictureError], ...] = (
    PictureFailed,
    PicturesNotInstalled,
    NoSuchPicture,
    UnfitPicture,
)
"""Each with a code of its own."""


def picture_error(code: str, detail: str, faults: Iterable[Fault] = ()) -> PictureError:
    """Make the error of a code, whose `detail` is reported as it stands.

    Parameters
    ----------
    code
        Of one of `PICTURE_ERRORS`. An unknown one is a failure.
    detail
        A sentence for people.
    faults
        What is wrong with what was asked.
    """
    kind = next((kind for kind in PICTURE_ERRORS if kind.code == code), PictureFailed)
    error = kind("", faults)
    error.detail = detail
    error.args = (detail,)
    return error
