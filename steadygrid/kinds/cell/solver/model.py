r"""The mixed-integer program of the shortest period on a Cell processor.

* :math:`\alpha_i^k = 1` where core i runs task k
* :math:`\beta_{i,j}^{kl} = 1` where the file from k to l goes from core i to core j (i = j: it
  stays)
* :math:`bw`: the bandwidth of an interface
* :math:`mem`: the local store
* :math:`buff_{kl}`: the buffer of a file, which does not depend on the mapping.

.. math::

   \min \mathcal{T} \quad\text{subject to}

   \sum_i \alpha_i^k = 1 \quad \forall k \tag{7.1a}

   \sum_i \beta_{i,j}^{kl} = \alpha_j^l \quad \forall kl, j \tag{7.1b}

   \sum_j \beta_{i,j}^{kl} = \alpha_i^k \quad \forall kl, i \tag{7.1c}

   \sum_k \alpha_i^k w_{PPE}(k) \le \mathcal{T} \quad \forall \text{PPEs } i \tag{7.1d}

   \sum_k \alpha_i^k w_{SPE}(k) \le \mathcal{T} \quad \forall \text{SPEs } i \tag{7.1e}

   \sum_k \alpha_i^k \frac{read_k}{bw}
   + \sum_{kl} \sum_{j \ne i} \beta_{j,i}^{kl} \frac{data_{kl}}{bw} \le \mathcal{T}
   \quad \forall i \tag{7.1f}

   \sum_k \alpha_i^k \frac{write_k}{bw}
   + \sum_{kl} \sum_{j \ne i} \beta_{i,j}^{kl} \frac{data_{kl}}{bw} \le \mathcal{T}
   \quad \forall i \tag{7.1g}

   \sum_k \alpha_i^k \Bigl(\sum_{l} buff_{kl} + \sum_{l} buff_{lk}\Bigr) \le mem
   \quad \forall \text{SPEs } i \tag{7.1h}

   \sum_{kl} \sum_{j \ne i} \beta_{j,i}^{kl} \le 16 \quad \forall \text{SPEs } i \tag{7.1i}

   \sum_{kl} \beta_{j,i}^{kl} \le 8 \quad \forall \text{PPEs } i, \text{SPEs } j \tag{7.1j}

16 and 8 stand for what the machine has. (7.1b) and (7.1c) are equalities: at least as strong as
the source's inequalities, and the same for whole mappings. With them
:math:`\sum_{j \ne i} \beta_{j,i}^{kl} = \alpha_i^l - \beta_{i,i}^{kl}`, and likewise for what
leaves, so that of the files between different cores only those to PPEs, which (7.1j) counts,
are variables of their own. For SPEs (7.1b) leaves :math:`\beta_{j,j}^{kl} \le \alpha_j^l`, and
(7.1c) becomes :math:`\le`. All :math:`\beta` are continuous: whole :math:`\alpha` leave them no
choice but to be whole, or to keep less than what stays, which never helps.

SPEs are alike, and so are PPEs. Any order among them may be asked for:

.. math::

   \sum_k \alpha_{i}^k w(k) \ge \sum_k \alpha_{i+1}^k w(k)
   \quad \text{neighbours } i, i + 1 \text{ of one type} \tag{order}

Source: *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, program (7.1),
with bytes divided by the bandwidth in (7.1f) and (7.1g), all SPEs in (7.1e), and (7.1j) for SPEs
only, as in the text above it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables


def build_model(
    tables: Tables, unit: Fraction, check: Callable[[], None] = lambda: None
) -> pyo.ConcreteModel:
    """Build program (7.1a)-(7.1j) with an order among the cores of a type.

    ================ ===== ================== ==============================================
    component        kind  index              meaning, unit
    ================ ===== ================== ==============================================
    ``period``       Var   none               T, in `unit`
    ``runs``         Var   task, core         alpha, binary; only where the core is able
    ``stays``        Var   file, core         beta with i = j, share of the file
    ``to_ppe``       Var   file, core, PPE    beta to another core, share of the file
    ``shortest``     Obj                      T, minimised
    ``once``         Con   task               (7.1a), tasks
    ``arrives``      Con   file, core         (7.1b), share of the file
    ``leaves``       Con   file, core         (7.1c), share of the file
    ``compute``      Con   core               (7.1d), (7.1e), in `unit`
    ``bytes_in``     Con   core               (7.1f), in `unit`
    ``bytes_out``    Con   core               (7.1g), in `unit`
    ``local_store``  Con   SPE                (7.1h), share of the local store
    ``calls_in``     Con   SPE                (7.1i), files
    ``calls_to_ppe`` Con   PPE, SPE           (7.1j), files
    ``order``        Con   core               (order), in `unit`
    ``cuts``         Con   number             none at first, see `cuts_of`
    ================ ===== ================== ==============================================

    Tasks, files and cores are positions; PPEs come first. Never unbounded; infeasible where the
    tasks that only SPEs can run break a limit on any mapping.

    Parameters
    ----------
    tables
        Every task can run on some core.
    unit
        Time; near the period, so that the solver's tolerances mean something.
    check
        Called between the rules; may raise.
    """
    model = pyo.ConcreteModel(name="cell")
    scale = tables.unit / unit
    model.period = pyo.Var(domain=pyo.NonNegativeReals, doc="T")
    _add_variables(model, tables)
    model.shortest = pyo.Objective(expr=model.period, sense=pyo.minimize)
    for add in (_add_once, _add_arrives, _add_leaves):
        check()
        add(model, tables)
    for add_times in (_add_compute, _add_bytes_in, _add_bytes_out, _add_order):
        check()
        add_times(model, tables, scale)
    for add in (_add_local_store, _add_calls_in, _add_calls_to_ppe):
        check()
        add(model, tables)
    model.cuts = pyo.ConstraintList()
    return model


def _spes(tables: Tables) -> range:
    return range(tables.num_ppes, len(tables.cores))


def _add_variables(model: pyo.ConcreteModel, tables: Tables) -> None:
    """Alpha where a core is able; beta where both ends are."""
    able = [set(cores) for cores in tables.able]
    model.runs = pyo.Var(
        [(task, core) for task, cores in enumerate(tables.able) for core in cores],
        domain=pyo.Binary,
        doc="alpha_i^k",
    )
    model.stays = pyo.Var(
        [
            (file, core)
            for file, (source, target) in enumerate(tables.files)
            for core in sorted(able[source] & able[target])
        ],
        domain=pyo.NonNegativeReals,
        doc="beta_ii^kl",
    )
    model.to_ppe = pyo.Var(
        [
            (file, core, ppe)
            for file, (source, target) in enumerate(tables.files)
            for core in tables.able[source]
            for ppe in tables.able[target]
            if ppe < tables.num_ppes and core != ppe
        ],
        domain=pyo.NonNegativeReals,
        doc="beta_ij^kl, j a PPE",
    )


def _add_once(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1a): each task runs on one core."""
    model.once = pyo.Constraint(
        range(len(tables.tasks)),
        rule=lambda m, k: linear([(1, m.runs[k, i]) for i in tables.able[k]]) == 1,
    )


def _add_arrives(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1b): the core that runs l has the file: it stayed there, or came from another."""

    def rule(m: pyo.ConcreteModel, file: int, core: int) -> object:
        source, target = tables.files[file]
        terms: Terms = [(-1, m.runs[target, core])]
        if (file, core) in m.stays:
            terms.append((1, m.stays[file, core]))
        if core >= tables.num_ppes:
            return linear(terms) <= 0
        terms += [(1, m.to_ppe[file, i, core]) for i in tables.able[source] if i != core]
        return linear(terms) == 0

    model.arrives = pyo.Constraint(
        [
            (file, core)
            for file, (_, target) in enumerate(tables.files)
            for core in tables.able[target]
            if core < tables.num_ppes or (file, core) in model.stays
        ],
        rule=rule,
    )


def _add_leaves(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1c): only the core that runs k has the file to keep, or to send."""

    def rule(m: pyo.ConcreteModel, file: int, core: int) -> object:
        source, target = tables.files[file]
        terms: Terms = [(-1, m.runs[source, core])]
        if (file, core) in m.stays:
            terms.append((1, m.stays[file, core]))
        terms += [
            (1, m.to_ppe[file, core, ppe])
            for ppe in tables.able[target]
            if (file, core, ppe) in m.to_ppe
        ]
        return linear(terms) <= 0 if len(terms) > 1 else pyo.Constraint.Skip

    model.leaves = pyo.Constraint(
        [
            (file, core)
            for file, (source, _) in enumerate(tables.files)
            for core in tables.able[source]
        ],
        rule=rule,
    )


def _add_compute(model: pyo.ConcreteModel, tables: Tables, scale: Fraction) -> None:
    """(7.1d) and (7.1e): a core computes for at most a period."""
    terms: list[Terms] = [[(-1, model.period)] for _ in tables.cores]
    for task, core in model.runs:
        terms[core].append(((tables.time(task, core) or 0) * scale, model.runs[task, core]))
    model.compute = pyo.Constraint(
        range(len(tables.cores)), rule=lambda _, i: linear(terms[i]) <= 0
    )


def _add_bytes_in(model: pyo.ConcreteModel, tables: Tables, scale: Fraction) -> None:
    """(7.1f): what a core reads and receives takes at most a period."""
    ends = [target for _, target in tables.files]
    _add_interface(model, tables, "bytes_in", tables.read, ends, scale)


def _add_bytes_out(model: pyo.ConcreteModel, tables: Tables, scale: Fraction) -> None:
    """(7.1g): what a core writes and sends takes at most a period."""
    ends = [source for source, _ in tables.files]
    _add_interface(model, tables, "bytes_out", tables.write, ends, scale)


def _add_interface(
    model: pyo.ConcreteModel,
    tables: Tables,
    name: str,
    memory: Sequence[int],
    ends: Sequence[int],
    scale: Fraction,
) -> None:
    """Memory, and every file of the tasks at this end, but what stays."""
    of_task = list(memory)
    for file, task in enumerate(ends):
        of_task[task] += tables.move[file]
    terms: list[Terms] = [[(-1, model.period)] for _ in tables.cores]
    for task, core in model.runs:
        terms[core].append((of_task[task] * scale, model.runs[task, core]))
    for file, core in model.stays:
        terms[core].append((-tables.move[file] * scale, model.stays[file, core]))
    model.add_component(
        name,
        pyo.Constraint(range(len(tables.cores)), rule=lambda _, i: linear(terms[i]) <= 0),
    )


def _add_local_store(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1h): the buffers of the tasks on an SPE fit into its local store."""
    whole = max(1, tables.store)
    terms: dict[int, Terms] = {core: [] for core in _spes(tables)}
    for task, core in model.runs:
        if core in terms and tables.need[task]:
            terms[core].append((Fraction(tables.need[task], whole), model.runs[task, core]))
    model.local_store = pyo.Constraint(
        [core for core, listed in terms.items() if listed],
        rule=lambda _, i: linear(terms[i]) <= Fraction(tables.store, whole),
    )


def _add_calls_in(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1i): an SPE fetches few files per period."""
    most = tables.instance.machine.dma_into_spe
    terms: dict[int, Terms] = {core: [] for core in _spes(tables)}
    for task, core in model.runs:
        if core in terms and tables.incoming[task]:
            terms[core].append((len(tables.incoming[task]), model.runs[task, core]))
    for file, core in model.stays:
        if core in terms:
            terms[core].append((-1, model.stays[file, core]))
    model.calls_in = pyo.Constraint(
        [core for core, listed in terms.items() if listed],
        rule=lambda _, i: linear(terms[i]) <= most,
    )


def _add_calls_to_ppe(model: pyo.ConcreteModel, tables: Tables) -> None:
    """(7.1j): a PPE fetches few files per period from each SPE."""
    most = tables.instance.machine.dma_spe_to_ppe
    terms: dict[tuple[int, int], Terms] = {}
    for file, core, ppe in model.to_ppe:
        if core >= tables.num_ppes:
            terms.setdefault((ppe, core), []).append((1, model.to_ppe[file, core, ppe]))
    model.calls_to_ppe = pyo.Constraint(
        list(terms), rule=lambda _, ppe, core: linear(terms[ppe, core]) <= most
    )


def _add_order(model: pyo.ConcreteModel, tables: Tables, scale: Fraction) -> None:
    """(order): of two neighbours of one type, the first computes at least as long."""
    loads: list[Terms] = [[] for _ in tables.cores]
    for task, core in model.runs:
        loads[core].append(((tables.time(task, core) or 0) * scale, model.runs[task, core]))
    firsts = [
        core
        for core in range(len(tables.cores) - 1)
        if core + 1 != tables.num_ppes and loads[core] and loads[core + 1]
    ]

    def rule(_: pyo.ConcreteModel, core: int) -> object:
        minus = [(-coefficient, variable) for coefficient, variable in loads[core + 1]]
        return linear([*loads[core], *minus]) >= 0

    model.order = pyo.Constraint(firsts, rule=rule)


def cuts_of(model: pyo.ConcreteModel, tables: Tables, mapping: Sequence[int]) -> list[object]:
    """Give inequalities that a mapping breaks and that all mappings within the limits keep.

    Of the tasks whose buffers together do not fit into a local store, as few as possible, one at
    least runs elsewhere, whichever SPE it is. Where all buffers fit, one task or another runs on
    another core.

    Parameters
    ----------
    model
        Of `build_model`, for the same tables.
    tables
        The instance in whole numbers.
    mapping
        Core of each task, by position. It breaks a limit.

    Returns
    -------
    list of expression
        Of Pyomo, one at least, to be added to the model.
    """
    spes = _spes(tables)
    use = Occupancy(tables, mapping)
    cuts: list[object] = []
    for crowded in spes:
        if use.used[crowded] <= tables.store:
            continue
        here = [task for task, core in enumerate(mapping) if core == crowded]
        left = use.used[crowded]
        for task in sorted(here, key=lambda task: tables.need[task]):
            if left - tables.need[task] > tables.store:
                left -= tables.need[task]
                here.remove(task)
        cuts += [sum(model.runs[task, core] for task in here) <= len(here) - 1 for core in spes]
    if not cuts:
        placed = [model.runs[task, core] for task, core in enumerate(mapping)]
        cuts.append(sum(placed) <= len(placed) - 1)
    return cuts
