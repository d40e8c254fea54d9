"""``/v1/schedules``. A schedule never changes, and neither does any part of it."""

from itertools import chain
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from app.http.answers import ASK_AGAIN, JSON_UTF8, Numbers, to_json
from app.http.conditions import IMMUTABLE, immutable, matches, strong_tag
from app.http.dates import Date
from app.http.exporting import openapi_content, openapi_parameters
from app.http.identity import tenant_of
from app.http.openapi import Responses, answer, problems
from app.http.pages import DEFAULT_LIMIT, Limit, PageToken, page_document, page_of, page_size
from app.http.parameters import WholeNumber, documented_values
from app.http.resources import resources_of
from app.schedules import exports, service
from app.schedules.timeline import MOST_EVENTS
from steadygrid.submissions.exports import SCHEDULE_FORMATS

router = APIRouter(prefix="/v1/schedules/{schedule_id}", tags=["schedules"])

MOST_DISPATCHED = 10_000
MOST_NAME = 402
"""Characters of the name of a message: two ids, and what joins them."""
_TAG = {"ETag": "strong", "Cache-Control": "immutable"}
_DATE = "in the schedule's time units from the start of its first period"

Count = Annotated[WholeNumber, Query(ge=1, le=MOST_DISPATCHED, description="how many instances")]
MOST_BEFORE = 10**18
First = Annotated[
    WholeNumber | None,
    Query(
        alias="from",
        ge=0,
        le=MOST_BEFORE,
        description="how many instances have been handed out before. Default 0",
    ),
]
Start = Annotated[
    WholeNumber | None,
    Query(ge=0, le=MOST_BEFORE, description="an older name of `from`. Give one of both"),
]
Message = Annotated[
    str | None,
    Query(
        max_length=MOST_NAME,
        description="whose order, where allocations carry a message. Required there",
    ),
]
EventLimit = Annotated[
    WholeNumber,
    Query(ge=1, description=f"events of the page. More than {MOST_EVENTS:,} counts as that many"),
]
DispatchLimit = Annotated[WholeNumber, Query(ge=1, description="members of the page. Default: all")]
From = Annotated[Date | None, Query(alias="from", description=f"{_DATE}. Default 0")]
To = Annotated[
    Date | None,
    Query(
        alias="to",
        description=f"{_DATE}. Default a period after `from`. Without both, the end of the first"
        " period after the prologue",
    ),
]


def _answers(description: str, model: str) -> Responses:
    return {
        200: answer(description, model, _TAG),
        304: answer("You have it already.", None, _TAG),
        **problems(404),
    }


def _page(request: Request, items: list[Any], next_token: str | None) -> Response:
    return immutable(request, to_json(page_document(items, next_token)))


@router.get("", responses=_answers("The schedule without its parts.", "ScheduleHeader"))
def get_schedule(request: Request, schedule_id: str, numbers: Numbers = "exact") -> Response:
    """Give a schedule: period, throughput, loss, and how long its parts are."""
    return immutable(
        request,
        to_json(service.header(resources_of(request), tenant_of(request), schedule_id, numbers)),
    )


@router.get(
    "/document", responses=_answers("The schedule with all of its parts.", "ScheduleDocument")
)
def get_schedule_document(request: Request, schedule_id: str) -> Response:
    """Give the whole schedule in one document, as `steadygrid solve --schedule` writes it.

    It is as long as it is: a million transfers are about 100 MB. All numbers are exact, so that
    `steadygrid check` can judge it.
    """
    pieces = service.document(resources_of(request), tenant_of(request), schedule_id)
    # The id names the parts; of the header, a newer version may say more.
    header = next(pieces)
    tag = strong_tag(schedule_id.encode() + header)
    fields = {"ETag": tag, "Cache-Control": IMMUTABLE}
    if matches(request, tag):
        return Response(status_code=304, headers=fields)
    return StreamingResponse(chain((header,), pieces), headers=fields, media_type=JSON_UTF8)


def _add_part(part: str, description: str, model: str, summary: str) -> None:
    @router.get(
        f"/{part}", name=f"list_{part}", summary=summary, responses=_answers(description, model)
    )
    def list_part(
        request: Request,
        schedule_id: str,
        limit: Limit = DEFAULT_LIMIT,
        page_token: PageToken = None,
        numbers: Numbers = "exact",
    ) -> Response:
        page = service.part(
            resources_of(request),
            tenant_of(request),
            schedule_id,
            part,
            page_size(limit),
            page_token,
            numbers,
        )
        return _page(request, list(page.items), page.next_token)


_add_part(
    "allocations",
    "Some allocations.",
    "AllocationPage",
    "List where instances run and which routes their files take",
)
_add_part(
    "computations",
    "Some computations.",
    "ComputationPage",
    "List what each processor computes in every period",
)
_add_part(
    "runs",
    "Some runs of links.",
    "RunPage",
    "List the runs of links: when each is busy without a break, and what it carries in order",
)
_add_part(
    "slots",
    "Some slots.",
    "SlotPage",
    "List the slots of the period: which transfers run side by side, and when",
)
_add_part(
    "rows",
    "Some rows.",
    "RowPage",
    "List the rows of a timetable: when each operation starts, and how often",
)


@router.get(
    "/export",
    response_class=Response,
    openapi_extra={"parameters": openapi_parameters(SCHEDULE_FORMATS.values())},
    responses={
        200: {
            "description": "The schedule in the format that was asked for.",
            "content": openapi_content(SCHEDULE_FORMATS.values()),
        },
        **problems(404),
    },
)
def export_schedule(
    request: Request,
    schedule_id: str,
    format_name: Annotated[
        str,
        documented_values(SCHEDULE_FORMATS),
        Query(alias="format", description="of those that need nothing but the schedule"),
    ],
) -> Response:
    """Give a schedule that repeats slot by slot in a foreign format.

    A schedule does not say which processors are switches, or which have several cards: each link has a
    lane of its own. The export of its job knows that, and has prices and more formats.
    """
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    given.pop("format")
    parts, tenant = resources_of(request), tenant_of(request)
    text = exports.export(parts, tenant, schedule_id, format_name, given)
    content_type = SCHEDULE_FORMATS[format_name].content_type
    return Response(text, headers={"Cache-Control": ASK_AGAIN}, media_type=content_type)


@router.get("/timeline", responses=_answers("Some events, by their starts.", "TimelinePage"))
def get_timeline(
    request: Request,
    schedule_id: str,
    begin: From = None,
    end: To = None,
    limit: EventLimit = MOST_EVENTS,
    page_token: PageToken = None,
    numbers: Numbers = "exact",
) -> Response:
    """Give the events in a window of time, prologue included, for a Gantt chart.

    Ask with the same window for the next page.
    """
    page = service.timeline(
        resources_of(request),
        tenant_of(request),
        schedule_id,
        begin,
        end,
        min(limit, MOST_EVENTS),
        page_token,
        numbers,
    )
    return _page(request, list(page.items), page.next_token)


@router.get("/dispatch", responses=_answers("Indices of allocations.", "DispatchPage"))
def get_dispatch(
    request: Request,
    schedule_id: str,
    count: Count = 100,
    first: First = None,
    start: Start = None,
    message: Message = None,
    limit: DispatchLimit = MOST_DISPATCHED,
    page_token: PageToken = None,
) -> Response:
    """Give the order in which a dispatcher hands instances to the allocations, from one on.

    In every prefix each allocation has its share of the instances, up to less than one instance.
    Where an instance is one of each of several messages, the order is that of one message. Ask with
    the same count, from and message for the next page.
    """
    name, begin = service.first_instance(first, start)
    order = service.dispatch(
        resources_of(request), tenant_of(request), schedule_id, count, message, name, begin
    )
    page = page_of(order, limit, page_token)
    return _page(request, list(page.items), page.next_token)
