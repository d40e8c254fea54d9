"""What is wrong with divisible loads."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "ambiguous_startup": CodeText(
        "The start-up cost is unclear",
        "A start-up cost is either data or time.",
        "Give exactly one of `data` and `time`.",
    ),
    "chain_repeats": CodeText(
        "The chain repeats a processor",
        "The list `chain` names a processor twice.",
        "Name each processor once.",
    ),
    "chain_without_link": CodeText(
        "The chain has no link for a hop",
        "Two processors that follow each other in the chain have no link.",
        "Add the link, or correct `chain`.",
    ),
    "duplicate_load": CodeText(
        "A load is listed twice",
        "Two loads have the same id.",
        "Give each load an id of its own.",
    ),
    "half_duplex": CodeText(
        "A half-duplex link carries both directions",
        "Data and results cannot overlap on a half-duplex link.",
        'Use `strict_one_port`, or `"duplex": "full"`.',
    ),
    "items_with_results": CodeText(
        "Whole items have results",
        "No method deals out whole items that send results back.",
        "Leave `items` out, or leave `return_volume` out.",
    ),
    "latency_on_tree": CodeText(
        "A tree has latencies",
        "No method answers trees with latencies.",
        "Leave out every latency, or set it to 0.",
    ),
    "load_without_processor": CodeText(
        "No processor can compute the load",
        "No processor of the chain has a speed for this load.",
        "Give a processor a speed, or name it in the speeds of the load.",
    ),
    "master_in_order": CodeText(
        "The order lists the master",
        "The master needs no message, and it returns nothing.",
        "Leave the master out of the order.",
    ),
    "no_chain": CodeText(
        "The order of the chain is unclear",
        "The links of the platform do not give one order of the processors.",
        "Give `chain`, the processors in order from the one that holds the loads.",
    ),
    "no_startup": CodeText(
        "The number of messages has no limit",
        "Without a start-up cost the best number of installments grows for ever.",
        "Give a start-up cost above 0, or the installments of each load.",
    ),
    "no_way_back": CodeText(
        "Results have no link back",
        "The results of a worker have no link to the master.",
        'Use `"duplex": "full"`, add a link, or set `return_volume` to 0.',
    ),
    "not_a_tree": CodeText(
        "The platform is no tree",
        "More than one path, or none, leads to a processor of the platform, or of an "
        "allocation to export.",
        "Leave links out, so that one path leads to each processor. Check an answer with "
        "`steadygrid check` before you export it.",
    ),
    "not_in_chain": CodeText(
        "The processor is not in the chain",
        "The problem names a processor that the chain does not have.",
        "Name a processor of the chain.",
    ),
    "order_repeats": CodeText(
        "The order repeats a processor",
        "The order lists a processor more than once.",
        "List it once.",
    ),
    "order_without_forwarder": CodeText(
        "A forwarder is missing in the order",
        "A processor of the order is reached over another one only.",
        "List that processor in the order, too.",
    ),
    "orders_disagree": CodeText(
        "The two orders differ",
        "`order` and `return_orders` name different processors, or `return_orders` leaves "
        "out one that computes.",
        "List the same processors in both, and each one that computes.",
    ),
    "ratio_below_one": CodeText(
        "The ratio is below 1",
        "What is sent is at least the data of the load.",
        "Give a ratio of at least 1.",
    ),
    "returns_on_tree": CodeText(
        "A tree has this order of results",
        "On trees results come back in the reverse order only.",
        'Use `"return_orders": "lifo"`.',
    ),
    "rounds_on_tree": CodeText(
        "A tree has several rounds",
        "On trees the load is sent out in one round.",
        "Leave `rounds` out, or use the method `closed_form`.",
    ),
    "rounds_with_items": CodeText(
        "Whole items are sent in one round",
        "No method sends whole items in several rounds.",
        "Leave `rounds` out, or leave `items` out.",
    ),
    "rounds_with_results": CodeText(
        "Several rounds have results",
        "No method chooses the order of results with several rounds.",
        "Leave `rounds` out, or leave `return_volume` out.",
    ),
    "switch_in_chain": CodeText(
        "A switch is in the chain",
        "A switch has no port to send by, one message after the other.",
        "Leave out `switch` to make it a router.",
    ),
    "too_many_loads": CodeText(
        "Too many loads",
        "The loads do not fit into one linear program.",
        "Submit them in parts.",
    ),
}
