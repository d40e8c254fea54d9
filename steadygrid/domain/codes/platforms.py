"""What is wrong with platforms, applications and what all kinds share."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "ambiguous_kind": CodeText(
        "Two packages give one kind",
        "Two installed packages give a kind of the same name.",
        "Remove all but one of these packages.",
    ),
    "ambiguous_speed": CodeText(
        "The speed is given twice or not at all",
        "A speed and a unit time state the same. Both are given, or none is where one is needed.",
        "Give one of the two fields that the message names.",
    ),
    "ambiguous_work": CodeText(
        "The work is given twice or not at all",
        "Work and times state the same of a task, and exactly one of them is needed.",
        "Give either `work` or `times`.",
    ),
    "card_missing": CodeText(
        "The link names no card",
        "The processor has named cards, and the link does not say which one it uses.",
        "Name a card in `source_card` or `target_card`.",
    ),
    "card_unused": CodeText(
        "No link uses the card",
        "The processor lists a card that no link names.",
        "Leave the card out, or name it in a link.",
    ),
    "cards_not_applicable": CodeText(
        "Cards need the one-port model",
        "Several network cards have a meaning under `one_port` only.",
        'Use `"ports": "one_port"`. Under `multiport` give `bandwidth_out` and '
        "`bandwidth_in` instead.",
    ),
    "cards_on_switch": CodeText(
        "A switch has no cards",
        "A switch has no ports of its own, and so no network cards.",
        "Leave out `cards` of the switch.",
    ),
    "cycle": CodeText(
        "The files form a cycle",
        "Each task of the cycle waits for another task of it, so none can start.",
        "Remove a file of the cycle that the message lists.",
    ),
    "duplicate_card": CodeText(
        "A card is listed twice",
        "The processor has two cards of one name.",
        "Give each card a name of its own.",
    ),
    "duplicate_file": CodeText(
        "A file is listed twice",
        "Two files have one id, or lead from one task to the same other task.",
        "Give each file an id of its own, or join them into one file and add their sizes.",
    ),
    "duplicate_link": CodeText(
        "A link is listed twice",
        "The two processors are joined already. A full or half link counts for both directions.",
        "Leave one of the links out.",
    ),
    "duplicate_medium": CodeText(
        "A medium is listed twice",
        "Two shared media have the same id.",
        "Give each medium an id of its own.",
    ),
    "duplicate_processor": CodeText(
        "A processor is listed twice",
        "Two processors have the same id.",
        "Give each processor an id of its own.",
    ),
    "duplicate_route": CodeText(
        "A route is listed twice",
        "This pair of processors has a route already.",
        "Leave one of the routes out.",
    ),
    "duplicate_task": CodeText(
        "A task is listed twice",
        "Two tasks have the same id.",
        "Give each task an id of its own.",
    ),
    "half_duplex_with_cards": CodeText(
        "A half-duplex link meets numbered cards",
        "A half-duplex link has no meaning at a processor with a number of cards.",
        'Name the cards, or use `"duplex": "full"`.',
    ),
    "kind_unavailable": CodeText(
        "The kind cannot be used",
        "The package that gives the kind cannot be loaded here.",
        "Correct the installation as the message says.",
    ),
    "latency_not_applicable": CodeText(
        "The latency has no meaning here",
        "Under `no_overlap` a computation may be cut between transfers and would pay its "
        "latency again.",
        "Leave the latency out, or add it to the times of the tasks.",
    ),
    "master_of_members": CodeText(
        "The master stands for several processors",
        "A processor with `members` stands for several, and the master is one.",
        "List the master by itself.",
    ),
    "media_need_multiport": CodeText(
        "Shared media need the multiport model",
        "Links share a medium under `multiport` only.",
        'Use `"ports": "multiport"`, or leave `media` out.',
    ),
    "members_choose_period": CodeText(
        "Members choose the period",
        "A processor with `members` does in turn what is placed on it, so the schedule "
        "chooses its period.",
        'Leave `max_period` out, or ask for `"exact"`.',
    ),
    "members_need_multiport": CodeText(
        "Members need the multiport model",
        "Processors with `members` are solved under `multiport` only.",
        'Use `"ports": "multiport"`, or list each processor by itself.',
    ),
    "members_not_taken": CodeText(
        "The kind takes no members",
        "This kind takes each processor by itself.",
        "List each processor, or ask for a kind that the message names.",
    ),
    "members_of_switch": CodeText(
        "A switch stands for itself",
        "A switch cannot stand for several processors.",
        "Leave out `members` of the switch.",
    ),
    "members_pay_no_latencies": CodeText(
        "Members pay no latencies",
        "Each member would pay latencies of its own.",
        "List each processor by itself, or leave the latencies out.",
    ),
    "method_not_applicable": CodeText(
        "The method does not apply",
        "The method cannot answer this instance, as the message explains.",
        "Choose a method that the message names, or change the instance as it says.",
    ),
    "missing_link": CodeText(
        "A link is missing",
        "Two processors that follow each other on a path have no link.",
        "Add the link, or name what is between them.",
    ),
    "missing_route_via": CodeText(
        "A missing route passes nothing",
        "The route is marked as missing, and it lists processors that it passes.",
        "Leave out `via`, or leave out `missing`.",
    ),
    "missing_task": CodeText(
        "A task has no place",
        "The allocation or mapping leaves a task out.",
        "Name the processor that runs the task.",
    ),
    "no_common_unit": CodeText(
        "The times have no common unit",
        "The common denominator of the times has too many digits to write dates.",
        "Round the times, sizes or latencies that the message names.",
    ),
    "options_disagree": CodeText(
        "Two options contradict each other",
        "With paid latencies the schedule chooses the number of periods, so `max_period` has "
        "no place.",
        "Leave `max_period` out. Set `latency_loss` to limit what latencies take.",
    ),
    "route_repeats": CodeText(
        "The route visits a processor twice",
        "A route visits each processor at most once.",
        "Leave the repeated part of `via` out.",
    ),
    "route_without_link": CodeText(
        "The route has no link for a hop",
        "Two processors that follow each other on the route have no link.",
        "Add the link, or correct `via`.",
    ),
    "self_link": CodeText(
        "A link joins a processor to itself",
        "Source and target of a link must differ.",
        "Remove the link.",
    ),
    "switch_computes": CodeText(
        "A switch computes",
        "A switch forwards only. It has no speed, it runs no task, and it is no source.",
        "Leave out the speed of the switch, name another processor, or leave out `switch`.",
    ),
    "task_without_processor": CodeText(
        "No processor can run the task",
        "The task has no time on any processor, and no allowed processor has a speed.",
        "Name a processor in its `times`, or allow one that has a speed.",
    ),
    "times_of_members": CodeText(
        "A time of several processors",
        "The processor stands for several, and the time is that on one of them.",
        "List this processor by itself.",
    ),
    "unbounded_throughput": CodeText(
        "The throughput has no bound",
        "Some work costs nothing anywhere, so any number of instances would fit into any time.",
        "Give a task some time, or a file some size.",
    ),
    "unknown_card": CodeText(
        "There is no such card",
        "The link names a card that the processor does not have.",
        "Name a card of the processor, or list the card there.",
    ),
    "unknown_link": CodeText(
        "There is no such link",
        "The platform has no such link, or the file names another kind of link.",
        "Name a link of the platform.",
    ),
    "unknown_medium": CodeText(
        "There is no such medium",
        "The platform has no medium of this name.",
        "Name a medium of the platform, or add it to `media`.",
    ),
    "unknown_processor": CodeText(
        "There is no such processor",
        "The platform has no processor of this name.",
        "Name a processor of the platform. The message may name a similar one.",
    ),
    "unknown_task": CodeText(
        "There is no such task",
        "The application has no task of this name.",
        "Name a task of the application. The message may name a similar one.",
    ),
    "unreachable": CodeText(
        "A processor or the service cannot be reached",
        "No links lead to the processor from the master. In a client, the service does not answer.",
        "Add links to the processor, or leave it out. In a client, check the address and "
        "that the service runs.",
    ),
}
