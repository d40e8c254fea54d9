"""Links of the OpenAPI document: which answers hold the ids that other operations ask for."""

from collections.abc import Iterator, Mapping
from typing import Any

METHODS = ("get", "put", "post", "delete", "patch")
IDS: Mapping[str, Mapping[str, str]] = {
    "submit_job": {"job_id": "/id", "schedule_id": "/schedule"},
    "list_jobs": {"job_id": "/items/0/id", "schedule_id": "/items/0/schedule"},
    "list_sweep_jobs": {"job_id": "/items/0/id"},
    "submit_sweep": {"sweep_id": "/id"},
    "ask_what_if": {"sweep_id": "/id"},
    "list_sweeps": {"sweep_id": "/items/0/id"},
    "ask_replan": {"replan_id": "/id"},
    "list_replans": {"replan_id": "/items/0/id"},
    "post_platform": {"platform_id": "/id"},
    "list_platforms": {"platform_id": "/items/0/id"},
    "post_application": {"application_id": "/id"},
    "list_applications": {"application_id": "/items/0/id"},
    "create_webhook": {"webhook_id": "/id"},
    "list_webhooks": {"webhook_id": "/items/0/id"},
    "test_webhook": {"delivery_id": "/id"},
    "list_deliveries": {"delivery_id": "/items/0/id"},
    "put_drift": {"job_id": "/job"},
    "put_epoch": {"job_id": "/job"},
    "create_view": {"job_id": "/job"},
    "list_problem_kinds": {"kind": "/items/0/kind"},
}
"""By operation: the path parameters that its answer can fill, each with its place in the answer."""

_OF_ID = "_id"
_OF_WATCHED = frozenset(["get_drift", "delete_drift", "get_measured", "follow_measured"])
_OF_STARTED = frozenset(["get_epoch", "delete_epoch"])
ONLY: Mapping[str, frozenset[str]] = {
    "put_drift": _OF_WATCHED,
    "put_epoch": _OF_STARTED,
    "create_view": frozenset(["delete_views"]),
}
"""By operation: all that asks for what it has made."""
WITHOUT: Mapping[str, frozenset[str]] = {
    "ask_what_if": frozenset(["get_sweep_picture"]),
    "submit_job": _OF_WATCHED | _OF_STARTED,
    "list_jobs": _OF_WATCHED | _OF_STARTED,
    "list_sweep_jobs": _OF_WATCHED | _OF_STARTED,
}
"""By operation: what asks for such an id, too, but has nothing to show of this one."""


def operations_of(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give every operation of a document.

    Parameters
    ----------
    document
        An OpenAPI document.
    """
    for item in document["paths"].values():
        yield from (item[method] for method in METHODS if method in item)


def add_links(document: dict[str, Any]) -> None:
    """Link each answer that holds an id to the operations that ask for it.

    Parameters
    ----------
    document
        An OpenAPI document; changed in place.
    """
    askers: dict[str, list[str]] = {}
    wanted: dict[str, list[str]] = {}
    for operation in operations_of(document):
        asker = operation["operationId"]
        wanted[asker] = [
            one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"
        ]
        for parameter in wanted[asker]:
            askers.setdefault(parameter, []).append(asker)
    links = document["components"].setdefault("links", {})
    for operation in operations_of(document):
        held = IDS.get(operation["operationId"], {})
        own = {}
        for parameter, pointer in held.items():
            nowhere = WITHOUT.get(operation["operationId"], frozenset())
            for asker in askers.get(parameter, ()):
                if asker not in ONLY.get(operation["operationId"], askers[parameter]):
                    continue
                # What both ask for is the same.
                shared = set(wanted[asker]) & set(wanted[operation["operationId"]]) - held.keys()
                lacking = {one for one in wanted[asker] if one.endswith(_OF_ID)} - shared
                if asker in nowhere or lacking - {parameter}:
                    continue
                name = f"{asker}_of_{operation['operationId']}"
                links[name] = {
                    "operationId": asker,
                    "parameters": {parameter: f"$response.body#{pointer}"}
                    | {one: f"$request.path.{one}" for one in sorted(shared)},
                }
                own[asker] = {"$ref": f"#/components/links/{name}"}
        for status, response in operation["responses"].items():
            if own and status.startswith("2"):
                response["links"] = dict(own)
