"""A synthetic stream application in the likeness of a vocoder."""

import random
from fractions import Fraction

from steadygrid.domain.application import File
from steadygrid.kinds.cell.schemas import CellApplication, CellInstance, CellMachine, CellTask

GROUPS = 5
"""Of bands that are split and joined together."""
BANDS = 3
"""In each group."""


def vocoder(seed: int = 1, spes: int = 6) -> CellInstance:
    """Draw a task graph of 141 tasks: parts that are wide, parts that are deep, and peeks.

    The window is a chain. A bank of filters, which peek, takes magnitude and phase of every band;
    a deep chain finds the pitch from the magnitudes; what it finds shifts and scales the phases of
    every band; they are joined, and a deep chain smooths the sound. Tasks of 30 to 130
    microseconds on a PPE, on an SPE from 2.5 times as fast to half as fast. Files of 1 to 4 kB.

    Parameters
    ----------
    spes
        Of the machine; a PlayStation 3 has six.
    """
    draw = random.Random(seed)
    tasks: list[CellTask] = []
    files: list[File] = []

    def add(name: str, *sources: str, peek: int = 0, read: int = 0, write: int = 0) -> str:
        on_ppe = draw.randint(30, 130)
        on_spe = on_ppe * draw.choice((4, 6, 9, 11, 13, 16, 20))
        tasks.append(
            CellTask(
                id=name,
                time_ppe=Fraction(on_ppe, 10**6),
                time_spe=Fraction(on_spe, 10**7),
                read=Fraction(read),
                write=Fraction(write),
                peek=peek,
            )
        )
        files.extend(
            File(source=s, target=name, size=Fraction(256 * draw.randint(4, 16))) for s in sources
        )
        return name

    def chain(name: str, length: int, *sources: str) -> str:
        last = add(f"{name}1", *sources)
        for i in range(2, length + 1):
            last = add(f"{name}{i}", last)
        return last

    windowed = chain("window", 6, add("source", read=16_384))
    phases: list[str] = []
    split = windowed
    envelope: list[str] = []
    for g in range(GROUPS):
        split = add(f"split{g}", split)
        magnitude, phase = [], []
        for b in range(BANDS):
            band = add(f"filter{g}.{b}", split, peek=draw.randint(1, 3))
            magnitude.append(add(f"magnitude{g}.{b}", band))
            phase.append(add(f"phase{g}.{b}", band, peek=1))
        envelope = [add(f"envelope{g}", *magnitude, *envelope)]
        phases.append(add(f"unwrap{g}", *phase))
    pitch = chain("pitch", 15, *envelope)
    gathered = []
    for g in range(GROUPS):
        spread = add(f"spread{g}", phases[g], pitch)
        shifted = [add(f"scale{g}.{b}", add(f"shift{g}.{b}", spread)) for b in range(BANDS)]
        gathered.append(add(f"gather{g}", *shifted))
    add("sink", chain("smooth", 17, add("mix", *gathered)), write=16_384)
    return CellInstance(
        kind="cell",
        machine=CellMachine(ppes=1, spes=spes),
        application=CellApplication(name="vocoder", tasks=tuple(tasks), files=tuple(files)),
    )
