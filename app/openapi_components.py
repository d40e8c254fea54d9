"""The schemas of all bodies and answers, gathered for the OpenAPI document."""

from typing import Any

from app.applications.schemas import StoredApplication
from app.grids.epochs import EpochRequest
from app.grids.schemas import (
    Drift,
    Epoch,
    HistoryPage,
    LatestMeasurements,
    MeasuredEvent,
    MeasuredJob,
    MeasurementPage,
    Recorded,
)
from app.http.openapi import components
from app.http.picture_answers import PictureList
from app.http.refusals import ProblemDetails
from app.http.stored_schemas import StoredDocumentPage
from app.jobs.schemas import (
    Deletion,
    Draft,
    FaultyBody,
    Instance,
    Job,
    JobChange,
    JobEvent,
    JobPage,
    LiveEvent,
    ResourcePage,
    Summary,
    Trace,
    Validation,
    View,
)
from app.operations.schemas import Health, Info, Readiness
from app.pages.view_endpoints import ViewRequest
from app.platforms.schemas import StoredPlatform
from app.problem_kinds.schemas import ProblemKindDetails, ProblemKindPage
from app.problem_kinds.service import job_request_schemas, result_models, result_schema
from app.schedules.schemas import (
    AllocationPage,
    ComputationPage,
    DispatchPage,
    RowPage,
    RunPage,
    ScheduleDocument,
    ScheduleHeader,
    SlotPage,
    TimelinePage,
)
from app.studies.schemas import (
    Replan,
    ReplanPage,
    ReplanValidation,
    WhatIfValidation,
)
from app.sweeps.schemas import (
    Retry,
    Sweep,
    SweepEvent,
    SweepPage,
    SweepPlan,
    SweepValidation,
    TablePage,
    WhatIf,
)
from app.webhooks.schemas import (
    Delivery,
    DeliveryPage,
    Webhook,
    WebhookChange,
    WebhookPage,
    WebhookRequest,
    WebhookWithSecret,
)
from steadygrid.domain.application import Application
from steadygrid.domain.platform import Platform
from steadygrid.studies.drift import DriftRequest
from steadygrid.studies.measurements import MeasurementsRequest
from steadygrid.studies.measuring import ReplanRequest
from steadygrid.studies.sweep_request import SweepRequest
from steadygrid.studies.what_if import WhatIfRequest

_ANSWERS = (
    ProblemDetails,
    Job,
    JobEvent,
    JobPage,
    Deletion,
    PictureList,
    LiveEvent,
    ResourcePage,
    Summary,
    Trace,
    Validation,
    FaultyBody,
    Instance,
    Draft,
    Replan,
    ReplanPage,
    ReplanValidation,
    WhatIfValidation,
    Sweep,
    SweepEvent,
    SweepPage,
    SweepPlan,
    SweepValidation,
    Retry,
    TablePage,
    WhatIf,
    ScheduleHeader,
    ScheduleDocument,
    AllocationPage,
    ComputationPage,
    RowPage,
    RunPage,
    SlotPage,
    TimelinePage,
    DispatchPage,
    StoredDocumentPage,
    StoredPlatform,
    Recorded,
    LatestMeasurements,
    MeasurementPage,
    HistoryPage,
    Drift,
    MeasuredEvent,
    MeasuredJob,
    Epoch,
    View,
    StoredApplication,
    ProblemKindDetails,
    ProblemKindPage,
    Webhook,
    WebhookWithSecret,
    WebhookPage,
    Delivery,
    DeliveryPage,
    Health,
    Readiness,
    Info,
)


def openapi_components() -> dict[str, Any]:
    """Gather the schemas by the names that endpoints refer to."""
    return (
        components(
            (
                Platform,
                Application,
                ReplanRequest,
                SweepRequest,
                WhatIfRequest,
                WebhookRequest,
                WebhookChange,
                JobChange,
                MeasurementsRequest,
                DriftRequest,
                EpochRequest,
                ViewRequest,
            ),
            (*_ANSWERS, *result_models()),
        )
        | job_request_schemas()
        | {"Result": result_schema()}
    )
