"""The process in which HiGHS searches integer programs, and which may be killed at any time.

HiGHS can presolve for ever and then heeds neither a time limit nor a cancel; only a kill ends
that. So this process tells what it finds as soon as it finds it. It speaks frames: ``search``,
``better`` and ``stop`` come in; ``begun``, ``alive``, ``incumbent``, ``ended`` and ``failure`` go out.
It imports little, so that it starts fast.
"""

import queue
import sys
import time
from typing import Any

import highspy
import numpy as np

from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import live_for, peak_memory
from steadygrid.processes.wire import Wire, or_die

LONGEST = 1e9
"""Seconds that stand for no limit."""
ARRAYS = {
    "costs": ("columns", np.float64),
    "column_lower": ("columns", np.float64),
    "column_upper": ("columns", np.float64),
    "integer": ("columns", np.uint8),
    "row_lower": ("rows", np.float64),
    "row_upper": ("rows", np.float64),
    "starts": ("starts", np.int32),
    "indices": ("entries", np.int32),
    "values": ("entries", np.float64),
    "started_columns": ("started", np.int32),
    "started_values": ("started", np.float64),
}
"""What the payload of ``search`` holds one after the other: the member of the message that says
how many numbers it is, and of which type."""


class Refused(Exception):
    """HiGHS does not take the program or an option."""


class Searches:
    """What the parent gives: searches, one after the other, what helps one, and when to stop it."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.stopped = 0
        """The last search that was asked to stop."""
        self._better: Frame | None = None

    def hear(self, frame: Frame) -> None:
        """Take a frame as it arrives."""
        match frame.message["type"]:
            case "stop":
                self.stopped = frame.message["number"]
            case "better":
                self._better = frame
            case _:
                self._waiting.put(frame)

    def better(self, number: int) -> bytes | None:
        """Give the last solution that was found elsewhere for a search; once."""
        frame = self._better
        if frame is None or frame.message["number"] != number:
            return None
        self._better = None
        return frame.payload

    def next(self) -> Frame:
        """Wait for a search."""
        return self._waiting.get()


def main(arguments: list[str]) -> None:
    """Serve the parent: ``search_process PARENT``, 0 where only the pipe reports its end."""
    live_for(int(arguments[0]))
    wire = Wire()
    searches = Searches()
    wire.listen(searches.hear)
    while True:
        message, payload = searches.next()
        search = Search(wire, searches, message, payload)
        try:
            search.run()
        except Refused as refused:
            wire.send({"type": "failure", "detail": str(refused)})
        finally:
            search.close()
        del search, message, payload


class Search:
    """A HiGHS instance that holds one mixed-integer program."""

    def __init__(
        self, wire: Wire, searches: Searches, message: dict[str, Any], payload: bytes
    ) -> None:
        self._wire = wire
        self._searches = searches
        self._number: int = message["number"]
        self._deadline: float = message["deadline"]
        self._pause: float = message["pause"]
        self._told = time.monotonic()
        self._options: dict[str, Any] = message["options"]
        self._presolve = self._options.get("presolve") != "off"
        arrays = _arrays(message, payload)
        self._program = _program(message, arrays)
        self._start = arrays["started_columns"], arrays["started_values"]
        self._highs = highspy.Highs()
        self._highs.cbMipInterrupt += self._watch
        self._highs.cbSimplexInterrupt += self._watch_relaxation
        self._highs.cbMipImprovingSolution += self._found
        if message["told"]:
            self._highs.cbMipUserSolution += self._take

    def run(self) -> None:
        """Search, and say what came of it."""
        highs = self._highs
        self._wire.send({"type": "begun"})
        self._set(self._options)
        if highs.passModel(self._program) != highspy.HighsStatus.kOk:
            raise Refused("it warned of the integer program's numbers")
        columns, values = self._start
        if len(columns):
            highs.setSolution(len(columns), columns, values)
        status = self._run()
        if len(columns) and self._idle(status):
            highs.clearSolver()
            status = self._run()
        if status == highspy.HighsModelStatus.kInfeasible and self._presolve:
            # Presolve's word is not enough.
            self._set({"presolve": "off"})
            status = self._run()
        if status == highspy.HighsModelStatus.kMemoryLimit:
            raise MemoryError
        info = highs.getInfo()
        solved = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        self._wire.send(
            {
                "type": "ended",
                "status": status.name,
                "words": highs.modelStatusToString(status),
                "solved": solved,
                "objective": float(info.objective_function_value),
                "bound": float(info.mip_dual_bound),
                "nodes": max(0, int(info.mip_node_count)),
                "peak_bytes": peak_memory(),
            },
            _packed(highs.getSolution().col_value) if solved else b"",
        )

    def _set(self, options: dict[str, Any]) -> None:
        for option, value in options.items():
            if self._highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
                raise Refused(f"HiGHS refuses {option} = {value}.")

    def _run(self) -> highspy.HighsModelStatus:
        remaining = max(0.0, self._deadline - time.monotonic())
        self._set({"time_limit": min(self._highs.getRunTime() + remaining, LONGEST)})
        self._highs.run()
        return self._highs.getModelStatus()

    def _idle(self, status: highspy.HighsModelStatus) -> bool:
        """Whether the search claims an optimum without having solved any linear program.

        Where presolve alone finds the least objective, HiGHS 1.15.1 takes any start for optimal,
        however poor.
        """
        iterations = int(self._highs.getInfo().simplex_iteration_count)
        return status == highspy.HighsModelStatus.kOptimal and iterations <= 0

    def _found(self, event: highspy.highs.HighsCallbackEvent) -> None:
        state = event.data_out
        or_die(
            lambda: self._wire.send(
                {
                    "type": "incumbent",
                    "objective": float(state.objective_function_value),
                    "bound": float(state.mip_dual_bound),
                },
                _packed(state.mip_solution),
            )
        )

    def _take(self, event: highspy.highs.HighsCallbackEvent) -> None:
        """Give HiGHS what was found elsewhere."""
        values = self._searches.better(self._number)
        if values is not None and event.data_in is not None:
            event.data_in.setSolution(np.frombuffer(values))

    def _watch(self, event: highspy.highs.HighsCallbackEvent) -> None:
        state = event.data_out
        self._live(
            event, {"bound": float(state.mip_dual_bound), "nodes": int(state.mip_node_count)}
        )

    def _watch_relaxation(self, event: highspy.highs.HighsCallbackEvent) -> None:
        self._live(event, {})

    def _live(self, event: highspy.highs.HighsCallbackEvent, state: dict[str, Any]) -> None:
        """Show now and then that the search goes on, and stop in time."""
        now = time.monotonic()
        if self._searches.stopped == self._number or now > self._deadline:
            event.interrupt()
        if now - self._told > self._pause:
            self._told = now
            or_die(lambda: self._wire.send({"type": "alive"} | state))

    def close(self) -> None:
        """Let go of the callbacks, which would keep HiGHS alive in a circle."""
        self._highs.cbMipInterrupt -= self._watch
        self._highs.cbSimplexInterrupt -= self._watch_relaxation
        self._highs.cbMipImprovingSolution -= self._found
        self._highs.cbMipUserSolution -= self._take


def _arrays(message: dict[str, Any], payload: bytes) -> dict[str, Any]:
    arrays = {}
    begin = 0
    for name, (count, kind) in ARRAYS.items():
        arrays[name] = np.frombuffer(payload, kind, message[count], begin)
        begin += arrays[name].nbytes
    return arrays


def _packed(values: Any) -> bytes:
    return np.asarray(values, dtype=np.float64).tobytes()


def _program(message: dict[str, Any], arrays: dict[str, Any]) -> highspy.HighsLp:
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = message["columns"], message["rows"]
    lp.sense_ = highspy.ObjSense.kMaximize if message["maximise"] else highspy.ObjSense.kMinimize
    lp.offset_ = message["offset"]
    lp.col_cost_ = arrays["costs"]
    lp.col_lower_, lp.col_upper_ = arrays["column_lower"], arrays["column_upper"]
    lp.row_lower_, lp.row_upper_ = arrays["row_lower"], arrays["row_upper"]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = arrays["starts"]
    lp.a_matrix_.index_ = arrays["indices"]
    lp.a_matrix_.value_ = arrays["values"]
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    lp.integrality_ = [kinds[integer] for integer in arrays["integer"]]
    return lp


if __name__ == "__main__":
    or_die(lambda: main(sys.argv[1:]))
