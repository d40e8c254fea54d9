"""Events of schedules that run once, as results list them."""

from steadygrid.domain.one_shot import LoadEvent
from steadygrid.domain.timeline import Event


def load_event(event: Event) -> LoadEvent:
    """Write an event of a timeline for a result."""
    sent = not isinstance(event.place, str)
    return LoadEvent(
        start=event.start,
        end=event.end,
        kind="transfer" if sent else "compute",
        processor=None if sent else event.place,
        link=event.place if sent else None,
        load=event.load,
        installment=event.installment,
        share=event.share,
    )
