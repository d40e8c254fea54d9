"""What is wrong with graphs of actors and pipelines of layers."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "backward_given": CodeText(
        "A layer has a backward pass",
        "The schedule `forward` runs no backward passes.",
        "Leave `backward` out, or use the schedule `one_forward_one_backward`.",
    ),
    "backward_missing": CodeText(
        "No layer has a backward pass",
        "The schedule `one_forward_one_backward` needs backward passes.",
        "Give `backward`, or use the schedule `forward`.",
    ),
    "capacity_below_tokens": CodeText(
        "A channel is too small for its tokens",
        "The channel begins with more tokens than it has places.",
        "Give it as many places as tokens, or more.",
    ),
    "duplicate_actor": CodeText(
        "An actor is listed twice",
        "Two actors have the same id.",
        "Give each actor an id of its own.",
    ),
    "duplicate_channel": CodeText(
        "A channel is listed twice",
        "Two channels have the same id, or a list names a channel twice.",
        "Give each channel an id of its own, and name it once.",
    ),
    "duplicate_layer": CodeText(
        "A layer is listed twice",
        "Two layers have the same id.",
        "Give each layer an id of its own.",
    ),
    "duplicate_pair": CodeText(
        "A pair of devices is listed twice",
        "The bandwidth of this pair is given twice. It holds in both directions.",
        "Keep one of the entries.",
    ),
    "duplicate_sort": CodeText(
        "A device type is listed twice",
        "Two entries of `devices` have the same id.",
        "Give each entry an id of its own.",
    ),
    "gap_in_layers": CodeText(
        "The stages leave layers out",
        "The stages hold every layer once, in the order of layers.",
        "Correct the layers of the stage that the message names.",
    ),
    "gradient_without_backward": CodeText(
        "A gradient has no backward pass",
        "A layer gets a gradient, and no layer has a backward pass.",
        "Leave `gradient` out, or give `backward`.",
    ),
    "inconsistent_rates": CodeText(
        "The rates contradict each other",
        "No numbers of cycles give each channel as many tokens as they take.",
        "Correct the rates of the channels that the message names.",
    ),
    "missing_bandwidth": CodeText(
        "A bandwidth is missing",
        "Devices that may be neighbours have no bandwidth between them.",
        "Give the bandwidth of this pair.",
    ),
    "missing_times": CodeText(
        "A device has no times for a layer",
        "Each device type needs times for every layer.",
        "Give `[forward, backward]` for every layer.",
    ),
    "not_an_interval": CodeText(
        "The stage ends before it begins",
        "The first layer of the stage comes after its last one.",
        "Name the first layer first.",
    ),
    "not_connected": CodeText(
        "The graph has separate parts",
        "Nothing says how often one part runs for the others.",
        "Submit the parts as jobs of their own.",
    ),
    "not_together": CodeText(
        "Two fields contradict each other",
        "The fewest places are known for `k_periodic` schedules only.",
        'Leave `schedule` out, or use `"buffers": "of_schedule"`.',
    ),
    "nothing_counted": CodeText(
        "No channel is counted",
        "The fewest places are asked for, and each channel has a capacity or is not named "
        "in `counted`.",
        "Leave the capacity of a channel out, or name it in `counted`.",
    ),
    "rates_of_phases": CodeText(
        "The rates do not fit the phases",
        "The list of rates has another length than the actor has phases.",
        "Give one number for each phase, or one number for all.",
    ),
    "reserved_channel": CodeText(
        "The id of the channel is reserved",
        "The id stands for the free places of another channel.",
        "Give one of the two channels another id.",
    ),
    "skip_backward": CodeText(
        "The skip leads backward",
        "The target of a skip must come after its source in the order of layers.",
        "Exchange source and target.",
    ),
    "stages_missing": CodeText(
        "The stages are missing",
        "The method `evaluate` judges given stages, and none are given.",
        "Give `stages`, or use the method `exact`.",
    ),
    "too_many_devices": CodeText(
        "Too many devices are used",
        "The stages use more devices of a type than there are.",
        "Give fewer `replicas`, or use another device type.",
    ),
    "too_many_repetitions": CodeText(
        "One iteration is too long",
        "An actor runs more often in one iteration than is looked at.",
        "Give rates that have more in common.",
    ),
    "too_many_replicas": CodeText(
        "A stage has too many replicas",
        "`max_replicas` allows the stage fewer copies.",
        "Give fewer replicas, or raise `max_replicas`.",
    ),
    "unknown_actor": CodeText(
        "There is no such actor",
        "The graph has no actor of this name.",
        "Name an actor of the graph.",
    ),
    "unknown_channel": CodeText(
        "There is no such channel",
        "The graph has no channel of this name.",
        "Name a channel of the graph.",
    ),
    "unknown_layer": CodeText(
        "There is no such layer",
        "The problem has no layer of this name.",
        "Name a layer of the problem.",
    ),
    "unknown_sort": CodeText(
        "There is no such device type",
        "The problem has no entry of `devices` with this id.",
        "Name an entry of `devices`.",
    ),
    "unordered_firings": CodeText(
        "The firings have no order",
        "The fewest places are known where the firings of an actor are in order, or all take "
        "the same time.",
        'Use `"concurrency": "sequential"`, or give each actor one phase.',
    ),
    "unused_field": CodeText(
        "The field has no meaning here",
        "The field belongs to another choice of `buffers`.",
        "Choose the `buffers` that the message names, or leave the field out.",
    ),
    "wrong_repetitions": CodeText(
        "The repetitions are wrong",
        "The numbers of cycles leave an actor out, do not balance every channel, or have "
        "a common factor.",
        "Correct the document, or leave it as the service wrote it.",
    ),
    "zero_rates": CodeText(
        "A channel moves no tokens",
        "All rates of one end of the channel are 0.",
        "Remove the channel, or give a rate above 0.",
    ),
}
