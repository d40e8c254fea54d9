"""Maximum flows in Python integers: no capacity is too large, and nothing is rounded."""


class MaxFlow:
    """Maximum flow from one vertex to another, by blocking flows along shortest paths.

    The network stays as it is between flows: `reset` takes all flow out again, `set_capacity`
    changes an arc, and `push` goes on from the flow that is there.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.

    Attributes
    ----------
    residual
        By arc how much more fits on it, and behind each how much can be taken back.

    Notes
    -----
    E. A. Dinic, *Algorithm for solution of a problem of maximum flow in a network with power
    estimation*, 1970: ``O(number^2 arcs)``. Distances are counted from the sink, so that the
    search enters only vertices that led there at the beginning of the phase.
    """

    def __init__(self, number: int) -> None:
        self._leaving: list[list[int]] = [[] for _ in range(number)]
        self._head: list[int] = []
        self.residual: list[int] = []
        self._capacity: list[int] = []

    def add(self, tail: int, head: int, capacity: int) -> int:
        """Add an arc, and give the number by which it is changed and asked for.

        Parameters
        ----------
        tail, head
            Vertices where the arc begins and ends.
        capacity
            An integer, at least 0.
        """
        arc = len(self._head)
        self._leaving[tail].append(arc)
        self._leaving[head].append(arc + 1)
        self._head += (head, tail)
        self.residual += (capacity, 0)
        self._capacity += (capacity, 0)
        return arc

    def set_capacity(self, arc: int, capacity: int) -> None:
        """Change a capacity. The flow on the arc must still fit, or be taken out by `reset`.

        Parameters
        ----------
        arc
            Its number, as `add` gave it.
        capacity
            An integer, at least 0.
        """
        self.residual[arc] += capacity - self._capacity[arc]
        self._capacity[arc] = capacity

    def ends(self, arc: int) -> tuple[int, int]:
        """Give tail and head."""
        return self._head[arc + 1], self._head[arc]

    def empty(self, vertex: int) -> None:
        """Let nothing more flow on the arcs of a vertex, forward or back."""
        for arc in self._leaving[vertex]:
            self.residual[arc] = self.residual[arc ^ 1] = 0

    def detach(self, vertex: int) -> None:
        """Forget the arcs of a vertex, which carry nothing."""
        for arc in self._leaving[vertex]:
            self._leaving[self._head[arc]].remove(arc ^ 1)
        self._leaving[vertex] = []

    def reset(self, residual: list[int] | None = None) -> None:
        """Take all flow out, or go back to a flow that there was."""
        self.residual = (self._capacity if residual is None else residual)[:]

    def flow(self, arc: int) -> int:
        """Tell how much an arc carries."""
        return self._capacity[arc] - self.residual[arc]

    def push(self, source: int, sink: int, limit: int | None = None) -> int:
        """Add as much flow as fits, at most a limit, and give its amount.

        Parameters
        ----------
        source, sink
            Different vertices.
        limit
            Most that is added. None: as much as fits.
        """
        if limit is None:
            limit = sum(self.residual[arc] for arc in self._leaving[source])
        total = 0
        while total < limit:
            distance = self._distances(sink, source)
            if distance[source] < 0:
                break
            total += self._block(source, sink, distance, limit - total)
        return total

    def source_side(self, source: int) -> set[int]:
        """Give the vertices that more could be sent to: after `push`, the least minimum cut."""
        residual, head = self.residual, self._head
        reached = {source}
        waiting = [source]
        for vertex in waiting:
            for arc in self._leaving[vertex]:
                if residual[arc] and head[arc] not in reached:
                    reached.add(head[arc])
                    waiting.append(head[arc])
        return reached

    def sink_side(self, sink: int) -> set[int]:
        """Give the vertices that could send more: outside is the largest minimum cut."""
        return {v for v, steps in enumerate(self._distances(sink, -1)) if steps >= 0}

    def _distances(self, sink: int, source: int) -> list[int]:
        """Count arcs to the sink, -1 where there is no path. No further than to the source."""
        residual, head, leaving = self.residual, self._head, self._leaving
        distance = [-1] * len(leaving)
        distance[sink] = 0
        layer = [sink]
        steps = 0
        while layer and (source < 0 or distance[source] < 0):
            steps += 1
            further: list[int] = []
            for vertex in layer:
                for arc in leaving[vertex]:
                    if residual[arc ^ 1] and distance[head[arc]] < 0:
                        distance[head[arc]] = steps
                        further.append(head[arc])
            layer = further
        return distance

    def _block(self, source: int, sink: int, distance: list[int], limit: int) -> int:
        """Push along shortest paths until there are none, or the limit is reached."""
        residual, head, leaving = self.residual, self._head, self._leaving
        tried = [0] * len(leaving)
        route: list[int] = []
        vertex = source
        total = 0
        while True:
            if vertex == sink:
                amount = min(limit - total, min([residual[arc] for arc in route]))
                total += amount
                for arc in route:
                    residual[arc] -= amount
                    residual[arc ^ 1] += amount
                if total == limit:
                    return total
                full = next(k for k, arc in enumerate(route) if not residual[arc])
                vertex = head[route[full] ^ 1]
                del route[full:]
            arcs = leaving[vertex]
            nearer = distance[vertex] - 1
            for k in range(tried[vertex], len(arcs)):
                arc = arcs[k]
                if residual[arc] and distance[head[arc]] == nearer:
                    tried[vertex] = k
                    route.append(arc)
                    vertex = head[arc]
                    break
            else:
                tried[vertex] = len(arcs)
                if not route:
                    return total
                vertex = head[route.pop() ^ 1]
                tried[vertex] += 1
