"""What the service refuses, and how jobs fail."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "address_refused": CodeText(
        "The address of the receiver is not public",
        "The host of a webhook has an address that is not public.",
        "Use a public address, or ask the administrator to allow the name with its network.",
    ),
    "answer_lost": CodeText(
        "The answer was lost",
        "The client has sent a request that must not be done twice, and has got no answer.",
        "Check whether the service has done it, and ask again if it has not.",
    ),
    "body_too_large": CodeText(
        "The body is too large",
        "The body has more bytes than the service or this address accepts.",
        "Send fewer bytes, or ask the administrator to raise the limit.",
    ),
    "client_gone": CodeText(
        "The client has gone",
        "The client closed the connection before the service answered. Only logs and metrics show it.",
        "Wait longer in the client, or raise the time limit of the proxy.",
    ),
    "conflicting_parameters": CodeText(
        "Two names of one parameter",
        "The query has `start`, the older name of `from`, and `from` itself.",
        "Give one of the two.",
    ),
    "disk_full": CodeText(
        "The disk of the database is full",
        "The service could not store anything. Nothing that was stored before is lost.",
        "Make room on the disk as its administrator, then send the request again.",
    ),
    "foreign_host": CodeText(
        "The request names another host",
        "The Host header field is none of the names that this service has.",
        "Use a name of the service, or add the name to STEADYGRID_ALLOWED_HOSTS.",
    ),
    "foreign_origin": CodeText(
        "The request comes from a page of another origin",
        "A page of another address tried to change something here, and browsers say so.",
        "Send the request from the service's own pages, or add the origin to "
        "STEADYGRID_CORS_ORIGINS.",
    ),
    "foreign_package": CodeText(
        "Python finds another package first",
        "The package that Python loads is not that of the installed distribution.",
        "Start `steadygrid` by its command, or leave the folder that holds the other package.",
    ),
    "format_not_applicable": CodeText(
        "The format does not take this answer",
        "The export format takes answers of one kind, and this answer is of another kind.",
        "Choose a format that takes answers of this kind.",
    ),
    "given_twice": CodeText(
        "A parameter is given twice",
        "The parameter has one value, and it is there more than once.",
        "Give the parameter once.",
    ),
    "guide_not_installed": CodeText(
        "The guide is not installed",
        "The folder that STEADYGRID_GUIDE_DIR names holds no built guide.",
        "Run `make docs` and set STEADYGRID_GUIDE_DIR to `build/guide`.",
    ),
    "hard_timeout": CodeText(
        "The solve did not end in time",
        "The solve went on long after its time limit, and the service ended its process.",
        "Set a longer `time_limit`, choose a faster method, or submit a smaller instance.",
    ),
    "host_unknown": CodeText(
        "The host of the receiver is unknown",
        "The name of the host leads to no address.",
        "Correct the name of the host, or enter it in the DNS.",
    ),
    "https_needed": CodeText(
        "The receiver needs https",
        "This service sends webhooks to addresses with https only.",
        "Write an address that begins with `https://`.",
    ),
    "idempotency_key_reused": CodeText(
        "The Idempotency-Key belongs to another request",
        "An earlier request had this key and asked for something else.",
        "Take a new key for each new request.",
    ),
    "insecure": CodeText(
        "The service answers its own machine only",
        "It asks for no key, so it refuses requests of other machines.",
        "Set STEADYGRID_AUTH=keys and make a key with `steadygrid keys create`, or set "
        "STEADYGRID_INSECURE=true in a closed network.",
    ),
    "internal": CodeText(
        "The service made an error",
        "Something failed inside steadygrid that should not fail. The request is not the cause.",
        "Read the log of the service, and report the error with its time.",
    ),
    "invalid_event_id": CodeText(
        "The id of the last event is wrong",
        "The Last-Event-ID is no id that this service gives to events.",
        "Send the id of the last event as it came, or leave the header field out.",
    ),
    "invalid_job": CodeText(
        "The id of a job is malformed",
        "The text is no id of a job.",
        "Give an id such as `job_...`, as the service returned it.",
    ),
    "invalid_label": CodeText(
        "A filter by label is malformed",
        "The text is not a name and a value.",
        "Write the label as `key:value`.",
    ),
    "invalid_page_token": CodeText(
        "The page token is wrong",
        "The token is not a `next_page_token` of this list.",
        "Repeat the token of the page before with the same filters, or start without one.",
    ),
    "invalid_request": CodeText(
        "The request breaks a rule",
        "One or more values of the request are not acceptable. The list `errors` names each place.",
        "Correct each place that `errors` names, and send the request again.",
    ),
    "invalid_schedule": CodeText(
        "The schedule is refused",
        "The independent referee found that the schedule or its proof breaks a rule, or "
        "the document is no schedule. The list `errors` names each place.",
        "Report it if steadygrid computed the answer. Correct the answer if you wrote or "
        "changed it.",
    ),
    "invalid_sweep": CodeText(
        "The id of a sweep is malformed",
        "The text is no id of a sweep.",
        "Give an id such as `swp_...`, or `none`.",
    ),
    "invalid_type": CodeText(
        "A value has the wrong type",
        "The document holds another type of value here than the form asks for.",
        "Write the type of value that the message names.",
    ),
    "invalid_url": CodeText(
        "The address of the receiver is malformed",
        "The text is no address with scheme, host, path and query in ASCII, or it is too long.",
        "Write an address such as `https://hooks.example.org/steadygrid`.",
    ),
    "issuer_unavailable": CodeText(
        "The issuer of tokens cannot be reached",
        "The service could not read the issuer's keys, so it can check no token.",
        "Send the request again later. Check STEADYGRID_JWT_ISSUER as the administrator.",
    ),
    "job_active": CodeText(
        "The job has not ended",
        "Only jobs that have ended are deleted.",
        "Cancel the job first, then delete it.",
    ),
    "job_cancelled": CodeText(
        "The job was cancelled",
        "A cancelled job has no result.",
        "Submit the job again if you need an answer.",
    ),
    "job_failed": CodeText(
        "The job has failed",
        "The job has no result. Its `error` states the reason.",
        "Read `error` of the job, correct the reason, and submit it again.",
    ),
    "job_not_finished": CodeText(
        "The job has not ended",
        "The answer is not there yet.",
        "Wait until the job has ended, then ask again.",
    ),
    "job_of_sweep": CodeText(
        "The job belongs to a sweep",
        "A sweep keeps all of its jobs.",
        "Delete the sweep instead of the job.",
    ),
    "job_purged": CodeText(
        "The job was deleted for its age",
        "The service deletes jobs some time after their end, and this one was deleted.",
        "Submit the job again. Take a new Idempotency-Key if you sent one.",
    ),
    "limit_exceeded": CodeText(
        "The request exceeds a limit",
        "The document or what it asks for is larger than this service accepts.",
        "Submit a smaller instance, or ask the administrator to raise the limit.",
    ),
    "malformed_json": CodeText(
        "The body is not acceptable JSON",
        "The text breaks the rules of JSON, or it is not UTF-8.",
        "Correct the text at the place that the message names.",
    ),
    "malformed_request": CodeText(
        "The request is malformed",
        "The request breaks the rules of HTTP or of this address.",
        "Correct the request as the message says.",
    ),
    "method_not_allowed": CodeText(
        "The method is not allowed",
        "This address does not take the method of the request.",
        "Use one of the methods that the header field Allow lists.",
    ),
    "missing_filter": CodeText(
        "No filter is given",
        "To delete jobs without any filter would delete all of them.",
        "Give a filter: label, state, kind, outcome or name.",
    ),
    "missing_parameter": CodeText(
        "A parameter is missing",
        "The file or the address does not hold a value that is needed.",
        "Give the parameter that the message names.",
    ),
    "missing_scope": CodeText(
        "The key may not do this",
        "The credential of the request lacks the scope that this address needs.",
        "Use a key with that scope, or ask the administrator for one.",
    ),
    "no_prices": CodeText(
        "The certificate has no prices",
        "Without prices of resources a study cannot bound an upgrade.",
        "Ask to solve some upgrades with `solve`.",
    ),
    "no_axis": CodeText(
        "The parameter is no axis",
        "The axes of a picture are one or two different parameters that vary.",
        "Choose a parameter that the message lists, or leave the axis out.",
    ),
    "no_resource": CodeText(
        "A resource is needed",
        "A window or a page belongs to the measurements of one resource.",
        "Give `resource`, too, or leave the other parameter out.",
    ),
    "no_resources": CodeText(
        "The answer lists no resources",
        "The answer names no processor, link or other resource.",
        "Read the result of the job, which holds all values.",
    ),
    "no_such_picture": CodeText(
        "There is no such picture",
        "The answer has no picture of this name or format.",
        "Choose a picture from the list of this answer.",
    ),
    "no_trace": CodeText(
        "The job has no trace of progress",
        "Its solver reported no progress, or its worker kept no trace.",
        "Read the result of the job.",
    ),
    "no_value": CodeText(
        "The answer has no value",
        "An upgrade can change nothing in an answer without a value.",
        "Ask for a job whose outcome has a value.",
    ),
    "not_a_moment": CodeText(
        "The text is no moment",
        "The text is no date with a time and a time zone, or its year is not accepted.",
        "Write a moment such as 2026-11-23T00:00:00Z. The years are 1970 to 8999. Write "
        "`%2B` for a plus in an address.",
    ),
    "not_a_rational": CodeText(
        "The value is no number",
        "The value is neither an integer, nor a decimal, nor a fraction in text.",
        'Write a number such as `3`, `0.75`, `"3/4"` or `"2.5e-3"`.',
    ),
    "not_certified": CodeText(
        "The answer could not be proved",
        "The exact check of the solver's answer found no proof, so steadygrid shows no answer.",
        "Submit it again with a longer `time_limit` or another method, and report it if it stays.",
    ),
    "not_final": CodeText(
        "Some jobs have not ended",
        "Only jobs that have ended are deleted.",
        "Cancel those jobs first.",
    ),
    "not_found": CodeText(
        "There is nothing at this address",
        "Nothing is stored under this id for your tenant, the job has no such part, or no "
        "such address exists.",
        "Check the id and the tenant of the key. See /openapi.json for all addresses.",
    ),
    "not_periodic": CodeText(
        "The schedule does not repeat",
        "The question needs a schedule that repeats. This one runs once, does nothing or "
        "is missing.",
        "Ask it of a job whose schedule is periodic, or leave `run` out of the options.",
    ),
    "other_platform": CodeText(
        "The platform is another one",
        "The stored platform has no processor of the job.",
        "Give the id of the platform on which the schedule runs.",
    ),
    "out_of_memory": CodeText(
        "The solve needed too much memory",
        "The solve reached the memory that the service gives to one job.",
        "Submit a smaller instance, choose a lighter method, or raise "
        "STEADYGRID_SOLVER_MEMORY_BYTES.",
    ),
    "parameter_not_applicable": CodeText(
        "The parameter does not belong here",
        "Another picture, format or address has this parameter.",
        "Leave the parameter out.",
    ),
    "picture_failed": CodeText(
        "The picture could not be drawn",
        "The process that draws ended, or took too long.",
        "Ask again, or ask for the data as CSV or JSON.",
    ),
    "pictures_not_installed": CodeText(
        "Pictures are not installed",
        "The libraries that draw are an extra of the package.",
        "Install them with `pip install 'steadygrid[pictures]'`.",
    ),
    "poison": CodeText(
        "The solve ended its process repeatedly",
        "Each attempt ended the worker's process, so the job is not tried again.",
        "Read the log of the workers, and submit a smaller instance or another method.",
    ),
    "port_refused": CodeText(
        "The port of the receiver is refused",
        "The administrator has not allowed this name with another port than the usual one.",
        "Leave the port out, or ask the administrator to allow the name and port.",
    ),
    "problem_given": CodeText(
        "Two problems are given",
        "`base` takes the problem of an earlier job, and the body has a problem too.",
        "Leave `problem` out and give `changes`.",
    ),
    "processes_need_shared_store": CodeText(
        "Several processes need shared stores",
        "Several API processes keep jobs and counts together in PostgreSQL and Redis.",
        "Set STEADYGRID_DATABASE_URL and STEADYGRID_REDIS_URL, or run one process.",
    ),
    "queue_full": CodeText(
        "Your queue is full",
        "The tenant has as many jobs in the queue as its share allows.",
        "Wait until some jobs have ended. Retry-After says how long.",
    ),
    "quota_exceeded": CodeText(
        "A quota is used up",
        "The tenant has reached its quota of requests, jobs, solver seconds or stored bytes.",
        "Wait as Retry-After says, delete what you need no more, or ask for a larger quota.",
    ),
    "reading_failed": CodeText(
        "The body could not be read",
        "The process that reads bodies ended, or needed too much time or memory for this one.",
        "Send the request again, or send a smaller body.",
    ),
    "replan_purged": CodeText(
        "The replan was deleted for its age",
        "The service deletes replans some time after their end, and this one was deleted.",
        "Ask for the replan again. Take a new Idempotency-Key if you sent one.",
    ),
    "request_timeout": CodeText(
        "The request did not arrive in time",
        "The rest of the request did not come within the time that the service waits.",
        "Send the request again, over a faster connection or with a smaller body.",
    ),
    "slots_too_many": CodeText(
        "The slots are too many to list",
        "The list of slots would hold more transfers than one answer may.",
        "Read the same schedule as runs, at `/runs`.",
    ),
    "sweep_active": CodeText(
        "The sweep has not ended",
        "Only sweeps that have ended are deleted.",
        "Cancel the sweep first, then delete it.",
    ),
    "sweep_cancelled": CodeText(
        "The sweep was cancelled",
        "A cancelled sweep does not go on.",
        "Post the sweep again.",
    ),
    "sweep_purged": CodeText(
        "The sweep was deleted for its age",
        "The service deletes sweeps some time after their end, and this one was deleted.",
        "Post the sweep again. Take a new Idempotency-Key if you sent one.",
    ),
    "temporary_reduced_capacity": CodeText(
        "The service has no room for now",
        "The queue of the whole service is full, although your tenant is within its share.",
        "Wait as Retry-After says, then send the request again.",
    ),
    "tests_too_many": CodeText(
        "Too many tests wait",
        "The webhook has as many tests that are not sent yet as it may have.",
        "Wait until these tests are sent. The list of deliveries shows them.",
    ),
    "too_many_bodies": CodeText(
        "Too many bodies wait to be read",
        "The service reads a fixed number of bodies at a time, and enough others wait.",
        "Send the request again after a moment.",
    ),
    "too_many_connections": CodeText(
        "Too many connections are open",
        "The service has as many open connections as it takes.",
        "Send the request again after the time of Retry-After, and keep fewer connections open.",
    ),
    "too_many_large_bodies": CodeText(
        "Too many large bodies at a time",
        "The service takes a fixed number of large bodies at a time, and others are first.",
        "Send the request again after a moment.",
    ),
    "too_many_pictures": CodeText(
        "Too many pictures are wanted",
        "The service draws one picture at a time, and enough others wait.",
        "Ask again later.",
    ),
    "two_jobs": CodeText(
        "Two jobs are compared at a time",
        "The page compares two jobs, and the request names another number.",
        "Go back and tick two jobs.",
    ),
    "unauthorized": CodeText(
        "A key is needed",
        "The request has no valid key, token or login.",
        "Send `Authorization: Bearer KEY`. The administrator makes a key with `steadygrid "
        "keys create`.",
    ),
    "unavailable": CodeText(
        "The service cannot answer now",
        "The database or another part of the service is busy, ends or cannot be reached.",
        "Send the request again later. Retry-After says when.",
    ),
    "unknown_application": CodeText(
        "There is no such application",
        "No application is stored under this id for your tenant.",
        "Post the application first, or give the object itself.",
    ),
    "unknown_format": CodeText(
        "There is no such format",
        "No importer or exporter has this name.",
        "Choose a format that the message lists, or see `steadygrid formats`.",
    ),
    "unknown_job": CodeText(
        "There is no such job",
        "No job with a stored answer has this id.",
        "Give the id of a job that has succeeded, or the documents themselves.",
    ),
    "unknown_kind": CodeText(
        "There is no such kind of problem",
        "No kind of this installation has this name.",
        "Choose a kind that `steadygrid problems` lists.",
    ),
    "unknown_message": CodeText(
        "There is no such message",
        "The answer or the instance has no message of this name.",
        "Name a message of the instance.",
    ),
    "unknown_outcome": CodeText(
        "There is no such outcome",
        "The filter names no outcome of a job.",
        "Choose an outcome that the message lists.",
    ),
    "unknown_parameter": CodeText(
        "There is no such parameter",
        "This address, format or picture does not have the parameter.",
        "Leave the parameter out, or correct its name.",
    ),
    "unknown_platform": CodeText(
        "There is no such platform",
        "No platform is stored under this id for your tenant.",
        "Post the platform first, or give the object itself.",
    ),
    "unknown_result": CodeText(
        "The result has another form",
        "Another version of the service made this result.",
        "Leave `numbers` out to get the result as it is stored, or submit the instance again.",
    ),
    "unknown_state": CodeText(
        "There is no such state of a job",
        "The filter names no state of a job.",
        "Choose a state that the message lists.",
    ),
    "unsupported_media_type": CodeText(
        "The type of the body is not accepted",
        "The Content-Type or Content-Encoding of the body is not accepted here.",
        "Send the body without compression, with the Content-Type that the message names.",
    ),
    "url_with_user": CodeText(
        "The address has a user or a fragment",
        "The address of a webhook holds no user, no password and nothing after `#`.",
        "Leave these parts out of the address.",
    ),
    "webhook_disabled": CodeText(
        "The webhook is not enabled",
        "A webhook that is not enabled sends nothing.",
        'Send `{"enabled": true}` with PATCH first.',
    ),
    "webhooks_too_many": CodeText(
        "Too many webhooks",
        "The tenant has as many webhooks as it may have.",
        "Delete a webhook, or let one listen to more events.",
    ),
    "window_backwards": CodeText(
        "The window ends before it begins",
        "The end of the window is not after its begin.",
        "Exchange the two values, or leave one out.",
    ),
}
