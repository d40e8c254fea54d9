"""What is combined of a message on its route from several sources."""

from typing import Any, NamedTuple


class Combination(NamedTuple):
    """Data of a message that a processor combines."""

    index: int  # type: ignore[assignment]  # the contract's name hides a tuple method
    processor: str
    operands: tuple[str, ...]
    """Sources, for their own data, and outcomes of combinations before."""

    @property
    def outcome(self) -> str:
        """What the outcome is called, besides the name of the message, in that of its file.

        So is the task where combining takes time. No id is spelt like this.
        """
        return f"--{self.index}"

    @property
    def document(self) -> dict[str, Any]:
        """The combination as the contract shows it."""
        return {
            "index": self.index,
            "processor": self.processor,
            "operands": list(self.operands),
        }
