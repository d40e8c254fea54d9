"""What is wrong with collective operations and bags of tasks."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "ambiguous_time": CodeText(
        "The time is given twice or not at all",
        "Work and times state the same of a combination, and exactly one of them is needed.",
        "Give either `work` or `times`.",
    ),
    "batch_too_long": CodeText(
        "The proportions have too many digits",
        "The fewest tasks in proportion to priorities and probabilities are a number that is "
        "too long.",
        "Write priorities and probabilities with common denominators.",
    ),
    "chunks_not_offered": CodeText(
        "Whole chunks are not offered here",
        "The instance has a part for which whole chunks are not found, as the message says.",
        "Leave `chunks` out, or change that part.",
    ),
    "chunks_with_max_period": CodeText(
        "Whole chunks bound the period",
        "Whole chunks already make a short period.",
        "Leave `max_period` out, or leave `chunks` out.",
    ),
    "completion_needs_multiport": CodeText(
        "The completion needs multiport",
        "The completion of one operation is predicted under `multiport` only.",
        'Use `"ports": "multiport"`.',
    ),
    "completion_not_offered": CodeText(
        "The completion is not offered here",
        "The completion of one operation is found for messages that are copied or combined only.",
        "Ask for the throughput, with `run.instances` 1.",
    ),
    "correlation": CodeText(
        "The correlation is out of range",
        "A correlation of sizes and works is a number from 0 to 1.",
        "Write a number from 0 to 1.",
    ),
    "duplicate_bag": CodeText(
        "A bag is listed twice",
        "Two bags have the same id.",
        "Give each bag an id of its own.",
    ),
    "empty_interval": CodeText(
        "The interval is empty",
        "The least value is above the greatest.",
        "Exchange the two values.",
    ),
    "field_not_applicable": CodeText(
        "The field has no meaning here",
        "The field belongs to another operation, objective or option.",
        "Leave the field out.",
    ),
    "free_tasks": CodeText(
        "Some tasks cost nothing",
        "A stream of these tasks may take no time at all.",
        "Give the tasks some work.",
    ),
    "minimum_zero": CodeText(
        "The least value is zero",
        "A geometric grid does not reach 0.",
        "Give a least value above 0, or give classes.",
    ),
    "missing_field": CodeText(
        "A field of the operation is missing",
        "The operation needs a field that the problem does not have.",
        "Add the field that the message names.",
    ),
    "nobody_combines": CodeText(
        "No processor combines",
        "Several sources have data to combine, and no processor is able to.",
        "Name a processor in `times`, give one a speed, or leave `combine` out.",
    ),
    "not_a_star": CodeText(
        "The platform is no star",
        "The method sends from the master directly to each worker, over one link.",
        "Leave the other links out, or link the workers to the master. Leave `load.items` "
        "out to deal out a load on a tree.",
    ),
    "one_distribution": CodeText(
        "One distribution is needed",
        "A bag has exactly one of `classes`, `tasks` and `uniform`.",
        "Give one of the three.",
    ),
    "one_stream": CodeText(
        "One form of stream is needed",
        "A stream has exactly one of `count` and `order`.",
        "Give one of the two.",
    ),
    "probabilities": CodeText(
        "The probabilities do not sum to 1",
        "The probabilities of the classes of a bag sum to 1.",
        'Write them as fractions such as `"1/3"`, or give `tasks` with their counts.',
    ),
    "sample_too_large": CodeText(
        "The sample takes all tasks",
        "No task of the stream is left to be dealt out.",
        "Lengthen the stream, or lower `sample`.",
    ),
    "sizes_not_increasing": CodeText(
        "The sizes are out of order",
        "The sizes of a prediction rise from one to the next.",
        "List the sizes from the smallest to the largest, each once.",
    ),
    "stream_missing": CodeText(
        "The stream is missing",
        "The method deals out a stream of tasks, and none is given.",
        'Give a stream, such as `{"count": 1000}`.',
    ),
    "stream_not_whole": CodeText(
        "The stream has parts of tasks",
        "The count times the priority of a bag is no whole number.",
        "Choose a count as the message says.",
    ),
    "switch_in_star": CodeText(
        "A switch is in the star",
        "The model has no place for a switch between master and workers.",
        "Leave the switch out, or leave out `switch` to make it a router.",
    ),
    "switch_master": CodeText(
        "The master is a switch",
        "A switch forwards only and holds no tasks.",
        "Leave out `switch` to make it a router.",
    ),
    "switch_takes_part": CodeText(
        "A switch takes part",
        "A switch forwards only, and the operation names it as a participant.",
        "Name the processor behind it.",
    ),
    "too_few_participants": CodeText(
        "Too few processors take part",
        "The operation needs more participants, or the platform has fewer than two processors.",
        "Name more participants, or add processors to the platform.",
    ),
    "too_many_cells": CodeText(
        "The grid has too many cells",
        "The cells of uniform tasks are too many, or their bounds have too many digits.",
        "Give a larger `epsilon`, or one with fewer digits.",
    ),
    "too_many_messages": CodeText(
        "Too many messages",
        "The number of messages grows with the square of the participants, and it is above "
        "the limit.",
        "Name fewer participants.",
    ),
    "unknown_bag": CodeText(
        "There is no such bag",
        "The order of the stream names a bag that the problem does not have.",
        "Name a bag of the problem.",
    ),
}
