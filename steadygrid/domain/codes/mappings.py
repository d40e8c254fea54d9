"""What is wrong with mappings, allocations, machines and simulations."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "before_its_input": CodeText(
        "An operation comes before its input",
        "The order of service lists an operation before the one whose result it needs.",
        "List it behind its input. A `lag` lets it be served later.",
    ),
    "contiguous_with_duplication": CodeText(
        "Intervals allow no copies",
        "With `contiguous` each task has one processor, and each processor one interval of "
        "the chain.",
        'Use `"duplication": "none"`, or leave `contiguous` out.',
    ),
    "duplicate_allocation": CodeText(
        "An allocation is listed twice",
        "Two given allocations are the same.",
        "Leave one of them out.",
    ),
    "duplicated_task": CodeText(
        "A task runs on several processors",
        "The options allow one processor for each task.",
        'Name one processor, or use `"duplication": "tasks"`.',
    ),
    "file_does_not_move": CodeText(
        "A file has no path",
        "The file is made on one processor and used on another, and no transfer moves it.",
        "Give the path of the file, or run both tasks on one processor.",
    ),
    "file_stays": CodeText(
        "A file that stays has a path",
        "The file is made and used on one processor, so nothing moves.",
        "Leave its path out.",
    ),
    "mapping_given": CodeText(
        "A mapping is given",
        "The method looks for a mapping, or the mapping already states the stages.",
        "Leave the mapping or the stages out, or use the method `evaluate`.",
    ),
    "mapping_missing": CodeText(
        "The mapping is missing",
        "The method judges a mapping, or `service` orders its operations, and no mapping is given.",
        "Give a mapping, choose a method that looks for one, or leave `service` out.",
    ),
    "media_not_applicable": CodeText(
        "Media are not part of this model",
        "In this model a file has its link and both ports to itself.",
        "Leave `media` out.",
    ),
    "missing_routes_with_copies": CodeText(
        "Missing routes meet copies",
        "Routers that copy files would lead them along routes that the platform marks as missing.",
        'Use `"duplication": "tasks"` or `"routing": "free"`.',
    ),
    "no_allocations": CodeText(
        "No allocation is given",
        "The method judges given allocations, and the list is empty.",
        "List one allocation or more, as answers list them.",
    ),
    "no_core": CodeText(
        "The machine has no core",
        "The machine has neither a PPE nor an SPE.",
        "Give it at least one core.",
    ),
    "no_link": CodeText(
        "A link is missing",
        "A stage sends its file to the next one directly, and these two processors have no link.",
        "Add the link, or change the processors of the stages.",
    ),
    "no_processor": CodeText(
        "No processor computes",
        "No processor has a speed, or a task or stage of the answer has no processor.",
        "Give a processor a speed. Name a processor for the task or stage in an answer.",
    ),
    "no_rate": CodeText(
        "A rate is missing",
        'With `"rates": "given"` each allocation has a rate, and at least one is above 0.',
        "Give the rates, or leave `rates` out to find the best.",
    ),
    "no_room": CodeText(
        "The memory is too small",
        "The buffers on an SPE, or a copy of a stage on a device, need more memory than there is.",
        "Give more SPEs, or give tasks a time on a PPE. Correct an answer that places too "
        "much on an SPE or device.",
    ),
    "no_route": CodeText(
        "No path exists",
        "No links lead from the maker of the file to its user.",
        "Place the tasks elsewhere, or add links.",
    ),
    "no_share": CodeText(
        "A path moves nothing",
        "The share of the path is not above 0.",
        "Leave the path out.",
    ),
    "no_such_execution": CodeText(
        "There is no such execution",
        "The schedule cannot be carried out in this form.",
        "Choose an execution that the message lists.",
    ),
    "no_throughput_limit": CodeText(
        "Nothing limits the throughput",
        "No operation that limits the throughput takes any time.",
        "Give one of them a time above 0, as the message says.",
    ),
    "not_a_chain": CodeText(
        "The tasks are not a chain",
        "With `contiguous` each task but the last has one file, which goes to the next task.",
        "Leave `contiguous` out, or join tasks into one.",
    ),
    "not_a_schedule": CodeText(
        "The document is no schedule",
        "The form of the schedule cannot be read.",
        "Give the schedule as the service or `solve --schedule` wrote it.",
    ),
    "not_contiguous": CodeText(
        "A processor runs no interval",
        "With `contiguous` a processor runs tasks that follow each other, with none left out.",
        "Map an interval to each processor, or leave `contiguous` out.",
    ),
    "not_simulated": CodeText(
        "Schedules of this kind are not simulated",
        "The simulation does not take schedules of this kind.",
        "Give a schedule of a kind that the message lists.",
    ),
    "not_the_first": CodeText(
        "The processor is not the first of its class",
        "The first processor of a class stands for all of its members.",
        "Name the first one, or leave the class out.",
    ),
    "nothing_runs": CodeText(
        "The schedule does nothing",
        "A schedule without instances has nothing to simulate.",
        "Give a schedule that does something.",
    ),
    "off_route": CodeText(
        "The path is not the fixed route",
        'With `"routing": "fixed"` files take the routes of the platform.',
        'Leave `transfers` out, or use `"routing": "free"`.',
    ),
    "operation_missing": CodeText(
        "An operation is missing",
        "The order of service leaves an operation out.",
        "List every operation once.",
    ),
    "operation_twice": CodeText(
        "An operation is listed twice",
        "The order of service lists an operation more than once.",
        "List every operation once.",
    ),
    "path_end": CodeText(
        "The path ends elsewhere",
        "The last processor of the path does not run the task that uses the file.",
        "End the path where the file is used.",
    ),
    "path_ends": CodeText(
        "The path has wrong ends",
        "The path of a file begins where the file is made and ends where it is used.",
        "Correct both ends of the path.",
    ),
    "path_repeats": CodeText(
        "The path visits a processor twice",
        "A path visits each processor at most once.",
        "Cut the loop out of the path.",
    ),
    "path_start": CodeText(
        "The path begins elsewhere",
        "The first processor of the path does not run the task that makes the file.",
        "Begin the path where the file is made.",
    ),
    "paths_not_applicable": CodeText(
        "Paths have no meaning here",
        "Under this `routing` files take the routes of the platform or shortest paths.",
        'Leave `paths` out, or use `"routing": "free"`.',
    ),
    "processor_in_two_stages": CodeText(
        "A processor serves two stages",
        "A processor serves one stage only.",
        "Remove the processor from one of the stages, or join the stages.",
    ),
    "processor_twice": CodeText(
        "A processor is listed twice",
        "Round robin visits each processor of a stage once in a turn.",
        "List the processor once.",
    ),
    "rates_too_long": CodeText(
        "The rates have too many digits",
        "The sum of the rates has more digits than are read.",
        "Round the rates, or leave `rates` out to find the best.",
    ),
    "repeated": CodeText(
        "An entry is listed twice",
        "The list of executions holds an entry more than once.",
        "List each entry once.",
    ),
    "repeated_member": CodeText(
        "A processor is in two classes",
        "The classes name the processor twice.",
        "Name it in one class, once.",
    ),
    "repeated_path": CodeText(
        "A path is listed twice",
        "Two paths of the file are the same.",
        "Add their shares in one path.",
    ),
    "repeated_processor": CodeText(
        "A processor is listed twice",
        "The mapping names the processor twice for one task.",
        "Name each processor once.",
    ),
    "sent_again": CodeText(
        "A file is sent twice",
        "The file comes to this processor from another maker already, or crosses the same "
        "link twice.",
        "Give the paths from one of the makers.",
    ),
    "service_given": CodeText(
        "The order is given twice",
        "`service` states the order, and `order` is there as well.",
        "Leave one of the two out.",
    ),
    "shares_miss_one": CodeText(
        "The shares do not sum to 1",
        "The shares of a file between two tasks sum to 1.",
        "Correct the shares.",
    ),
    "split_file": CodeText(
        "The file is split",
        'Only `"routing": "multipath"` splits a file over several paths.',
        'Give one path, or use `"routing": "multipath"`.',
    ),
    "stage_cycle": CodeText(
        "Stages wait for each other",
        "Files lead from one stage to another and back.",
        "Join these stages into one.",
    ),
    "stage_without_processor": CodeText(
        "No processor can run the stage",
        "No processor has a time for all tasks of the stage.",
        "Allow one to run them, or split the stage.",
    ),
    "task_mapped_twice": CodeText(
        "A task is in two stages",
        "Each task belongs to one stage.",
        "Keep the task in one stage.",
    ),
    "task_not_allowed": CodeText(
        "The processor cannot run the task",
        "The task has no time on this processor, or is not allowed there.",
        "Choose a processor that the task may use.",
    ),
    "task_not_mapped": CodeText(
        "A task is not mapped",
        "The mapping names no processor for the task.",
        "Name a processor for it.",
    ),
    "task_without_core": CodeText(
        "No core can run the task",
        "The task has no time on the cores that the machine has.",
        "Give `time_ppe` or `time_spe` for a core of the machine.",
    ),
    "too_few_processors": CodeText(
        "Too few processors for the stages",
        "Several stages can run on few processors only, and a processor serves one stage.",
        "Allow more processors, or put tasks into one stage.",
    ),
    "too_little_memory": CodeText(
        "The memory is too small",
        "The tasks on a processor or device need more memory than it has.",
        "Move some tasks elsewhere, or give it more memory.",
    ),
    "too_many_allocations": CodeText(
        "Too many allocations are given",
        "More allocations are given than are judged at once. Those of the members of classes "
        "count, too.",
        "Leave out those without a rate.",
    ),
    "too_many_calls": CodeText(
        "A task needs too many fetches",
        "The task uses more files of the other core type than a core can fetch in a period.",
        "Allow some of the tasks on the other core type, or raise the limit of the machine.",
    ),
    "too_many_copies": CodeText(
        "A stage has too many processors",
        "`max_replicas` allows the stage fewer processors.",
        "Name fewer processors, or raise `max_replicas`.",
    ),
    "too_many_digits": CodeText(
        "The times have too many digits",
        "The common denominator of all times has more digits than are read.",
        "Round the times, sizes and bandwidths.",
    ),
    "too_many_operations": CodeText(
        "The simulation is too long",
        "The instances to simulate have more operations than are carried out.",
        "Ask for fewer instances.",
    ),
    "too_many_rows": CodeText(
        "The mapping has too many rows",
        "The mapping repeats only after more data sets than are looked at.",
        "Name numbers of processors with common factors, or raise `max_rows`.",
    ),
    "unknown_operation": CodeText(
        "There is no such operation",
        "The order of service names an operation that the workflow does not have.",
        "Name the first task of a stage, or `[source, target]` of a file between two stages.",
    ),
    "waits_for_itself": CodeText(
        "Operations wait for themselves",
        "With the given order, lags or timetable, some operations wait for each other at "
        "the same moment.",
        "Give later operations of the workflow no smaller `lag` than earlier ones. "
        "Correct the starts of a timetable.",
    ),
    "wrong_ports": CodeText(
        "The port model is another",
        "The schedule or result belongs to another port model than the instance.",
        "Give documents of one job.",
    ),
    "wrong_throughput": CodeText(
        "The throughput is another",
        "The stated throughput does not follow from the period and its instances.",
        "Correct the throughput.",
    ),
}
