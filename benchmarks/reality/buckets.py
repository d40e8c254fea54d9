"""Token buckets, told by the date at which they are full again."""


class TokenBucket:
    """What lets so many units pass a second, and a few more after a pause.

    Parameters
    ----------
    rate
        Units per second.
    depth
        Seconds of the rate that are saved while nothing passes.

    Notes
    -----
    The generic cell rate algorithm (ITU-T I.371): in any ``s`` seconds at most ``(s + depth) rate``
    units pass. So lateness of the machine up to the depth is made up for, and no more.
    """

    def __init__(self, rate: float, depth: float) -> None:
        self.rate, self.depth = rate, depth
        self.free_at = float("-inf")
        """When all that was let pass has passed at the rate."""

    def passing(self, units: float, now: float) -> float:
        """Let units pass, and give the date at which the last of them has passed.

        Parameters
        ----------
        units
            At least 0.
        now
            Seconds.
        """
        self.free_at = max(self.free_at, now - self.depth) + units / self.rate
        return self.free_at
