r"""The program :math:`\max x`, :math:`w x \le 1`, :math:`c x \le 1` at both ends of the link."""

from fractions import Fraction

import pyomo.core as pyo
from steadygrid.kinds.one_worker.schemas import OneWorkerInstance

from steadygrid.domain.resources import compute_resource, receive_resource, send_resource
from steadygrid.engine.solving.terms import linear


def build_model(instance: OneWorkerInstance) -> pyo.ConcreteModel:
    """Build the program; always feasible, and bounded as computing takes time."""
    platform = instance.platform
    index = platform.index_by_id
    sent = platform.arc_by_ends[index[instance.source], index[instance.worker]].unit_time
    shares = {
        compute_resource(instance.worker): platform.processors[
            index[instance.worker]
        ].time_per_work,
        send_resource(instance.source): sent,
        receive_resource(instance.worker): sent,
    }
    model = pyo.ConcreteModel(name="one_worker")
    model.rate = pyo.Var(domain=pyo.NonNegativeReals, doc="x")
    model.throughput = pyo.Objective(expr=linear([(1, model.rate)]), sense=pyo.maximize)

    @model.Constraint(list(shares))  # type: ignore[untyped-decorator]
    def busy(model: pyo.ConcreteModel, name: str) -> object:
        return linear([(shares[name] or Fraction(0), model.rate)]) <= 1

    return model
