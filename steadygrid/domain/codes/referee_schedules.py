"""What the referee finds wrong with schedules and their headers."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText, of_referee

CODES: Mapping[str, CodeText] = {
    "above_bound": of_referee(
        "The value is above its bound",
        "A value that is maximised is at most the bound that the answer states.",
    ),
    "allocations_disagree": of_referee(
        "Schedule and result differ",
        "Schedule and result list different allocations, or state different values of one.",
    ),
    "below_bound": of_referee(
        "The value is below its bound",
        "A value that is minimised is at least the bound that the answer states.",
    ),
    "cannot_compute": of_referee(
        "A processor cannot compute this",
        "The answer gives work to a processor that cannot compute it, or in an "
        "installment or round that does not exist.",
    ),
    "cargo_past_run": of_referee(
        "The cargo exceeds its run", "What a run carries takes longer than the run lasts."
    ),
    "cargo_too_fast": of_referee(
        "The cargo is too fast", "A run leaves less time to its files than they take on the link."
    ),
    "computation_past_period": of_referee(
        "A computation ends after the period", "Each computation lies within one period."
    ),
    "computations_overlap": of_referee(
        "Two computations overlap",
        "A processor starts a computation before the one before it has ended.",
    ),
    "computed_elsewhere": of_referee(
        "A task runs elsewhere", "The allocation places the task on another processor."
    ),
    "computed_twice": of_referee(
        "A computation is listed twice",
        "The answer lists the same task twice on the same processor.",
    ),
    "computes_and_transfers": of_referee(
        "A processor computes and transfers",
        "Under `no_overlap` a processor computes or takes part in a transfer, never both.",
    ),
    "dead_end": of_referee(
        "A path ends nowhere", "The last processor of a path neither uses the file nor sends it on."
    ),
    "does_nothing": of_referee(
        "The schedule does nothing", "Some instance could run, and the schedule runs none."
    ),
    "empty_computation": of_referee(
        "A computation is empty",
        "A computation of the schedule executes no positive number of tasks.",
    ),
    "empty_path": of_referee(
        "A path has no hop", "A file that stays on its processor has no transfer."
    ),
    "empty_run": of_referee(
        "A run is empty", "A run ends after its start and carries at least one file."
    ),
    "empty_slot": of_referee("A slot takes no time", "Each slot lasts longer than 0."),
    "empty_transfer": of_referee(
        "A transfer moves nothing", "Each transfer and each cargo moves a positive number of files."
    ),
    "entered_twice": of_referee(
        "A processor is entered twice", "Several routes of one tree lead to the same processor."
    ),
    "event_twice": of_referee(
        "An event is listed twice", "The timeline lists the same event twice."
    ),
    "events_unsorted": of_referee(
        "The timeline is out of order",
        "The events of the timeline are listed in the order of their start.",
    ),
    "file_split": of_referee(
        "A file is split", "Files that may be sent on travel whole, and a path carries a part."
    ),
    "from_nowhere": of_referee(
        "A path starts without its file",
        "The file is neither made nor sent to the first processor of the path.",
    ),
    "ghost_file": of_referee(
        "A message has no file",
        "The program lists messages of a file that the application does not have.",
    ),
    "ghost_processor": of_referee(
        "A message has a wrong end", "A message names a processor that cannot run its task."
    ),
    "ghost_task": of_referee(
        "A weight has no task", "The program weighs a task that the application does not have."
    ),
    "idle_event": of_referee(
        "An event belongs to no share",
        "Each event of the timeline moves or computes a share that the answer lists.",
    ),
    "instance_lost": of_referee(
        "An instance is not complete",
        "The schedule never computes a task of an allocation that has instances.",
    ),
    "joined_twins": of_referee(
        "Members of classes are linked",
        "A link joins two members of classes, so they are not interchangeable.",
    ),
    "later_than_needed": of_referee(
        "Another number of periods is better",
        "Another number of grouped periods completes the run earlier, or more instances "
        "within the horizon.",
    ),
    "link_twice": of_referee(
        "A link serves two transfers",
        "A link serves more transfers in a slot than it can serve at a time.",
    ),
    "load_not_whole": of_referee("The shares miss the load", "The shares of a load sum to 1."),
    "lonely_twin": of_referee(
        "A class has one member", "A class of interchangeable processors has at least two members."
    ),
    "loses": of_referee(
        "Throughput is lost without need",
        "The rates are exact, and yet the schedule loses throughput.",
    ),
    "loses_more_on_latencies": of_referee(
        "Latencies take too much",
        "Latencies take a larger part of the period than the options allow.",
    ),
    "loses_too_much": of_referee(
        "The loss is too large",
        "The schedule loses more than is allowed, while the exact one is within the limits.",
    ),
    "makespans_disagree": of_referee(
        "The makespans differ", "Result and schedule state different makespans."
    ),
    "member_overload": of_referee(
        "A member is overloaded",
        "Dealt out evenly, the instances keep a member of a class busy for longer than the period.",
    ),
    "missing_event": of_referee(
        "An event is missing", "The timeline lacks an event that the answer needs."
    ),
    "more_faults": CodeText(
        "There are more faults",
        "The referee lists a fixed number of faults and counts the rest.",
        "Correct the listed faults, and check the answer again.",
    ),
    "more_periods_than_needed": of_referee(
        "Fewer periods are enough",
        "A smaller number of grouped periods keeps latencies within the allowed loss.",
    ),
    "more_than_before": of_referee(
        "The traffic has grown",
        "The answer with least traffic carries more than the one before it.",
    ),
    "negative_rate": of_referee("A rate is negative", "Each rate is 0 or more."),
    "negative_start": of_referee(
        "An event starts before 0", "Nothing in a timetable starts before time 0."
    ),
    "negative_value": of_referee(
        "A value is negative", "The value and the bound of an answer are 0 or more."
    ),
    "negative_weight": of_referee("A weight is negative", "Each weight of a proof is 0 or more."),
    "no_note": of_referee(
        "A note is missing",
        "The answer has a throughput of 0, a simulated value or an open question, and no "
        "note says so.",
    ),
    "no_period": of_referee(
        "The period is not positive", "A periodic schedule has a period above 0."
    ),
    "no_periods": of_referee(
        "No period is grouped", "A schedule that pays latencies groups at least one period."
    ),
    "no_schedule": of_referee(
        "The schedule is missing", "The answer has a value, and its schedule is missing."
    ),
    "not_feasible_only": of_referee(
        "The answer is optimal",
        "The value reaches an exact bound, so the outcome must say `optimal`.",
    ),
    "not_one_mapping": of_referee(
        "The schedule is not one mapping",
        "The schedule must have exactly one allocation, the mapping.",
    ),
    "not_one_slot": of_referee(
        "The slots are wrong",
        "Under `multiport` the period has one slot, which lasts as long as files may flow.",
    ),
    "not_optimal": of_referee(
        "The answer is not proved optimal",
        "The outcome says `optimal`, and the bound does not reach the value.",
    ),
    "not_paid": of_referee(
        "Paid latencies are missing",
        "The options ask that latencies are paid, and the schedule does not say how.",
    ),
    "other_links": of_referee(
        "The members of a class differ in links", "Members of a class have the same links."
    ),
    "other_routes": of_referee(
        "The members of a class differ in routes",
        "Members of a class are ends of the same given routes.",
    ),
    "other_times": of_referee(
        "The members of a class differ in times",
        "Members of a class run each task in the same time.",
    ),
    "overlap": of_referee(
        "Two events overlap",
        "A resource or an actor starts something before its last operation has ended.",
    ),
    "paid_unasked": of_referee(
        "Latencies are paid without need",
        "The schedule pays latencies, and the options do not ask for it.",
    ),
    "part_of_file": of_referee(
        "A file moves in parts", "The options ask for whole files, and a transfer moves a part."
    ),
    "partial_group": of_referee(
        "A grouped period is not whole",
        "Each of the grouped periods has a whole number of instances or files.",
    ),
    "partial_instances": of_referee(
        "An allocation has parts of instances",
        "The number of instances of an allocation in a period is a whole number, 0 or more.",
    ),
    "period_too_long": of_referee(
        "The period is too long", "The period is longer than `max_period` allows."
    ),
    "rate_misses_count": of_referee(
        "Rate and count differ",
        "The rate of an allocation times the period is its number of instances.",
    ),
    "rate_not_positive": of_referee(
        "A rate is not positive", "Each rate that the answer lists is above 0."
    ),
    "rates_disagree": of_referee(
        "Two rates differ",
        "The rates of the result and the sums over allocations are not the same.",
    ),
    "rates_miss_throughput": of_referee(
        "The rates miss the throughput",
        "The rates of the allocations do not sum to the certified throughput.",
    ),
    "repeated_index": of_referee(
        "An index is listed twice", "Each allocation or entry has an index of its own."
    ),
    "repeated_twin": of_referee(
        "A processor is listed twice in classes",
        "Each processor is listed once, in one class at most.",
    ),
    "rounded_without_need": of_referee(
        "The schedule is rounded without need",
        "The schedule loses throughput by rounding, while the exact one is within the limits.",
    ),
    "routed_twin": of_referee(
        "A member may forward files",
        "A processor with several neighbours is no member where routes are fixed.",
    ),
    "run_before_period": of_referee(
        "A run starts before the period", "Each run lies within one period."
    ),
    "run_goes_on": of_referee(
        "Two runs are one",
        "A run starts where the one before it on the same link ends, so both are one run.",
    ),
    "run_overlaps": of_referee(
        "Two runs overlap",
        "A port or link serves more runs at a time than it can. Without several cards it "
        "serves one.",
    ),
    "run_past_period": of_referee(
        "A run ends after the period", "Each run lies within one period."
    ),
    "runs_before_its_input": of_referee(
        "A task starts before its input",
        "The first period of a task comes before that of what it needs.",
    ),
    "runs_out_of_order": of_referee(
        "The runs are out of order", "Runs are listed in the order of their start."
    ),
    "share_not_positive": of_referee("A share is not positive", "Each share of a load is above 0."),
    "share_twice": of_referee(
        "A share is listed twice", "Each processor has one share of an installment."
    ),
    "slot_past_period": of_referee(
        "A slot ends after the period", "Each slot lies within one period."
    ),
    "slots_overlap": of_referee(
        "Two slots overlap",
        "A slot starts before the one before it has ended, or before the period.",
    ),
    "steady_period_too_short": of_referee(
        "The steady period is too short",
        "Without latencies, a resource needs more time than the steady period has.",
    ),
    "timelines_disagree": of_referee(
        "The timelines differ", "Result and schedule hold different timelines."
    ),
    "too_early": of_referee(
        "An event starts too early",
        "An operation starts before what it needs is there, or before it may start.",
    ),
    "too_good": of_referee(
        "The throughput is above the optimum",
        "The schedule claims more than the certified optimum.",
    ),
    "transfer_past_slot": of_referee(
        "A transfer exceeds its slot", "A transfer takes longer than its slot lasts."
    ),
    "twin_in_odd_sets": of_referee(
        "A member has several neighbours",
        "Sets of processors may tell this one from the other members.",
    ),
    "twin_switch": of_referee(
        "A class names a switch", "Members of a class are processors that compute."
    ),
    "two_receives": of_referee(
        "A processor receives twice at a time",
        "A receive port serves one transfer at a time, or as many as the processor has cards.",
    ),
    "two_sends": of_referee(
        "A processor sends twice at a time",
        "A send port serves one transfer at a time, or as many as the processor has cards.",
    ),
    "two_transfers": of_referee(
        "A processor has two transfers at a time",
        "A processor with one port for both directions takes part in one transfer at a time.",
    ),
    "unknown_computation": of_referee(
        "A computation has no allocation",
        "Each computation belongs to an allocation of the schedule.",
    ),
    "unknown_installment": of_referee(
        "An event has no installment",
        "The timeline names an installment that the answer does not have.",
    ),
    "unknown_load": of_referee(
        "An event has no load", "The timeline names a load that the problem does not have."
    ),
    "unknown_move": of_referee(
        "A transfer belongs to no allocation",
        "The allocation does not send this file over this hop.",
    ),
    "unknown_stream": of_referee(
        "A rate has no stream", "The answer names a stream of instances that was not asked for."
    ),
    "unknown_twin": of_referee(
        "A class names no processor", "Each member of a class is a processor of the platform."
    ),
    "wrong_approx": of_referee(
        "A rounded value is wrong", "The decimal next to an exact value is not its rounding."
    ),
    "wrong_bounded": of_referee(
        "The reason of the period is wrong",
        "The header names another reason for a bounded period than there is.",
    ),
    "wrong_completion_time": of_referee(
        "The completion time is wrong",
        "The run is complete at another time than the header promises.",
    ),
    "wrong_completion_time_at_most": of_referee(
        "The promised completion is wrong",
        "The header states another latest completion than its periods give.",
    ),
    "wrong_computation_count": of_referee(
        "The number of tasks is wrong",
        "A computation executes as many tasks as its allocation has instances.",
    ),
    "wrong_computation_time": of_referee(
        "The time of a computation is wrong", "The time is the latency and the time of each task."
    ),
    "wrong_counts": of_referee(
        "The counts are wrong", "The header counts something else than the schedule lists."
    ),
    "wrong_duration": of_referee(
        "A duration is wrong",
        "The duration of an event or a slot does not follow from what it moves or computes.",
    ),
    "wrong_earliest_time": of_referee(
        "The earliest time is not proved",
        "The lower bound of the completion time does not follow from its proof.",
    ),
    "wrong_files": of_referee(
        "The files are wrong", "The schedule lists other files than the application has."
    ),
    "wrong_first_period": of_referee(
        "A first period is wrong", "The first period of a task does not follow from its mapping."
    ),
    "wrong_first_periods": of_referee(
        "The first periods are wrong", "The first periods do not follow from the allocation."
    ),
    "wrong_form": of_referee(
        "The form of the schedule is wrong",
        "The schedule lists runs, and this port model or paid latencies need slots.",
    ),
    "wrong_gap": of_referee("The gap is wrong", "The gap does not follow from value and bound."),
    "wrong_grouped_period": of_referee(
        "The grouped period is wrong",
        "The period is not that of its steady periods and their latencies.",
    ),
    "wrong_grouped_periods": of_referee(
        "The number of grouped periods is wrong",
        "The counts of the schedule do not fit this number of periods.",
    ),
    "wrong_idle": of_referee(
        "The idle times are wrong", "The idle times do not follow from the timeline."
    ),
    "wrong_index": of_referee(
        "An index is wrong", "The entry does not have the index of its place."
    ),
    "wrong_instances": of_referee(
        "The number of instances is wrong",
        "The answer counts another number of instances than was asked or follows from it.",
    ),
    "wrong_instances_bound": of_referee(
        "The bound of instances is wrong",
        "The header states another upper bound of complete instances than its proof gives.",
    ),
    "wrong_instances_done": of_referee(
        "The number of complete instances is wrong",
        "The header promises another number of instances than the schedule completes.",
    ),
    "wrong_interruptions": of_referee(
        "The interruptions are wrong", "The header counts other interruptions than the runs have."
    ),
    "wrong_kind": of_referee(
        "The kind is wrong", "The result is of another kind than the problem."
    ),
    "wrong_kind_of_event": of_referee(
        "An event has a wrong resource",
        "A computation has a processor and no link. A transfer has a link and no processor.",
    ),
    "wrong_latency": of_referee(
        "The latency is wrong", "The latency does not follow from the schedule."
    ),
    "wrong_latency_time": of_referee(
        "The time for latencies is wrong",
        "The time for latencies is negative, or leaves nothing of the period.",
    ),
    "wrong_loss": of_referee(
        "The loss is wrong", "The stated loss does not follow from the value and the optimum."
    ),
    "wrong_makespan": of_referee(
        "The makespan is wrong",
        "The last event ends at another time, or the makespan does not fit the throughput.",
    ),
    "wrong_method": of_referee(
        "The method is wrong", "The result names another method than was asked."
    ),
    "wrong_no_schedule_before": of_referee(
        "The earliest completion is wrong",
        "The header states another lower bound of the completion than its proof gives.",
    ),
    "wrong_objective": of_referee(
        "The objective is wrong", "The result has another objective than the problem."
    ),
    "wrong_optimal_throughput": of_referee(
        "The stated optimum is wrong",
        "The header states another throughput than the certified one.",
    ),
    "wrong_outcome": of_referee(
        "The outcome is wrong", "The outcome does not fit the parts of the answer."
    ),
    "wrong_participants": of_referee(
        "The participants are wrong", "The participants are the processors that have a share."
    ),
    "wrong_preempted": of_referee(
        "The mark of interrupted files is wrong",
        "The header says that files move in parts, and none does, or the reverse.",
    ),
    "wrong_prologue": of_referee(
        "The prologue is wrong", "The prologue does not follow from the longest instance."
    ),
    "wrong_rounding_loss": of_referee(
        "The loss by rounding is wrong", "The header states another loss than simple rounding has."
    ),
    "wrong_run": of_referee(
        "The run is wrong",
        "The run is missing, is not the one that was asked, or differs from what the "
        "referee replays.",
    ),
    "wrong_run_periods": of_referee(
        "The number of periods of a run is wrong",
        "The run is complete after another number of periods, or another number ends "
        "within the horizon.",
    ),
    "wrong_schedule": of_referee(
        "The schedule has no place here", "This answer has no periodic schedule."
    ),
    "wrong_share": of_referee(
        "A share is wrong", "An event moves another share than the answer states."
    ),
    "wrong_traffic": of_referee(
        "The traffic is wrong", "The links carry data for another time than the answer states."
    ),
}
