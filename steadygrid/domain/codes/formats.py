"""What is wrong with foreign files, and what foreign formats cannot hold."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "ambiguous_file": CodeText(
        "The maker of a file is unclear",
        "Several tasks make the file, and none of them is a parent of its user.",
        "Name the task that is meant among the parents.",
    ),
    "ambiguous_format": CodeText(
        "The format is unclear",
        "The file may be in several formats.",
        "Name the format with `--format` or the parameter `format`.",
    ),
    "ambiguous_unit": CodeText(
        "The unit is unclear",
        "The letter b may stand for bits or bytes.",
        "Write Mbit or MB, Gbit/s or GB/s.",
    ),
    "another_instance": CodeText(
        "The mapping is of another instance",
        "The answer does not belong to the instance that is given.",
        "Give the instance of this answer. `steadygrid check` names the differences.",
    ),
    "another_schedule": CodeText(
        "The schedule is of another answer",
        "The schedule does not belong to the result that is given.",
        "Give the schedule of this result.",
    ),
    "bandwidths_too_different": CodeText(
        "The bandwidths differ too much",
        "The run is not predicted where bandwidths of links differ by such a factor.",
        "Leave out what needs a prediction, such as `order=start`.",
    ),
    "copies_outside_ranks": CodeText(
        "A processor without a rank copies",
        "The answer copies or combines data at a processor that is no rank.",
        'Solve the problem with `"copying": "participants"`.',
    ),
    "duplicate_participant": CodeText(
        "A participant is named twice",
        "The list names a participant, or a pair of participants, more than once.",
        "Name each participant or pair once.",
    ),
    "forbidden_doctype": CodeText(
        "The file has a forbidden DOCTYPE",
        "For safety the reader accepts no DOCTYPE, or only the one of the format.",
        "Remove the DOCTYPE.",
    ),
    "forbidden_entity": CodeText(
        "The file uses an undefined entity",
        "The XML file refers to an entity that is not defined.",
        "Write the character itself.",
    ),
    "invalid_count": CodeText(
        "The count is wrong",
        "The number of instances is outside of what the format allows.",
        "Write a whole number within the range of the message.",
    ),
    "invalid_flag": CodeText(
        "The flag is neither true nor false",
        "The parameter is a truth value.",
        "Write `true` or `false`.",
    ),
    "invalid_name": CodeText(
        "The name cannot be written",
        "The format takes short names of letters, digits and a few signs.",
        "Choose a name as the message says.",
    ),
    "invalid_platform": CodeText(
        "The SimGrid file is wrong",
        "The file breaks a rule of SimGrid platforms at the line of the message.",
        "Correct that line.",
    ),
    "invalid_sdf3": CodeText(
        "The SDF3 file is wrong",
        "The file breaks a rule of SDF3 at the line of the message.",
        "Correct that line.",
    ),
    "invalid_size": CodeText(
        "The size is wrong",
        "The number of bytes is malformed, or the least is above the greatest.",
        "Write sizes in bytes, the least first.",
    ),
    "malformed_dot": CodeText(
        "The DOT file is malformed",
        "The text breaks the rules of Graphviz at the line of the message.",
        "Correct that line.",
    ),
    "malformed_mapping": CodeText(
        "The mapping is malformed",
        "A line of the mapping file is not a task and its processors.",
        "Correct that line.",
    ),
    "malformed_stg": CodeText(
        "The STG file is malformed",
        "The text breaks the rules of STG at the line of the message.",
        "Correct that line.",
    ),
    "malformed_table": CodeText(
        "The table is malformed",
        "The table has no lines, or a line that does not fit its columns.",
        "Correct the line that the message names.",
    ),
    "malformed_tgff": CodeText(
        "The TGFF file is malformed",
        "The text breaks the rules of TGFF at the line of the message.",
        "Correct that line.",
    ),
    "malformed_xml": CodeText(
        "The XML is malformed",
        "The file is not well-formed XML, or its encoding cannot be read.",
        "Correct the line that the message names, and write UTF-8.",
    ),
    "malformed_yaml": CodeText(
        "The YAML is malformed",
        "The text breaks the rules of YAML, or it uses anchors, aliases or several documents.",
        "Write one plain YAML document.",
    ),
    "missing_instance": CodeText(
        "The instance is missing",
        "The order of moves by their start needs what was asked.",
        "Give `--instance FILE`, or take `order=depth`.",
    ),
    "missing_participant": CodeText(
        "A participant has no rank",
        "Every participant of the operation needs a rank.",
        "Add the participants that the message names to `rank`.",
    ),
    "mixed_directions": CodeText(
        "Directed and undirected edges are mixed",
        "Some edges of the graph have a direction and some have none.",
        "Write two edges for one without a direction.",
    ),
    "mixed_units": CodeText(
        "Numbers with and without units are mixed",
        "Some numbers have a unit and others of the same column have none.",
        "Write a unit everywhere, or give the unit as a parameter.",
    ),
    "nested_too_deeply": CodeText(
        "The file is nested too deeply",
        "The file has more levels than are read.",
        "Flatten the file.",
    ),
    "no_mapping": CodeText(
        "The answer maps no task",
        "The answer holds no mapping that could be written.",
        "Choose an answer with a mapping.",
    ),
    "no_program": CodeText(
        "No program can be written",
        "No linear program exists for this problem or method, or the answer predicts no "
        "program of a collective.",
        "Choose a method that solves one linear program. Set `execution` in the problem "
        "of a collective.",
    ),
    "not_a_participant": CodeText(
        "The name is no participant",
        "The processor takes no part in the operation.",
        "Name a participant, or add the processor to the participants.",
    ),
    "not_directed": CodeText(
        "The graph has no directions",
        "An application is a directed graph, and the edges of this one have no direction.",
        "Write a directed graph.",
    ),
    "not_in_format": CodeText(
        "The format cannot hold this",
        "The answer or platform has a part that the format has no form for.",
        "Choose another format, or leave that part out as the message says.",
    ),
    "not_predicted": CodeText(
        "No run is predicted",
        "A run is predicted under `multiport` only.",
        "Take `order=depth`.",
    ),
    "nothing_to_export": CodeText(
        "There is nothing to export",
        "The answer has no trees, or its schedule holds no instance.",
        "Choose an answer with a schedule.",
    ),
    "root_is_not_first": CodeText(
        "Rank 0 is not the root",
        "The format asks that the root has rank 0.",
        "Name the root first in `rank`.",
    ),
    "root_without_data": CodeText(
        "The root gives no data",
        "In a reduction of the format every rank gives data, and the root does not.",
        "Name the root among the sources.",
    ),
    "scenario_missing": CodeText(
        "A scenario must be chosen",
        "Rates and times of the graph depend on a scenario.",
        "Choose one with the parameter `scenario`.",
    ),
    "several_files": CodeText(
        "One file at a time is read",
        "The format takes one file, and several are given.",
        "Give one file.",
    ),
    "switch_with_speed": CodeText(
        "A switch has a speed",
        "The table gives a switch a speed, and a switch forwards only.",
        "Empty one of the two cells.",
    ),
    "too_many_blocks": CodeText(
        "A rank needs too many blocks",
        "The algorithm needs more thread blocks of a rank than the format allows.",
        "Use fewer trees or instances, or another `dialect`.",
    ),
    "too_many_channels": CodeText(
        "Too many channels are needed",
        "The algorithm needs more channels than the format allows.",
        "Use fewer trees or instances.",
    ),
    "too_many_chunks": CodeText(
        "Too many chunks are needed",
        "A buffer needs more chunks than the format allows.",
        "Use fewer trees, or a schedule with a shorter period.",
    ),
    "too_many_elements": CodeText(
        "The algorithm is too long",
        "A rank needs more elements of the file than the reader of the format accepts.",
        "Use fewer trees or instances.",
    ),
    "too_many_steps": CodeText(
        "A block has too many steps",
        "One rank sends to another in more steps than a block of the format has.",
        "Use fewer trees or chunks.",
    ),
    "too_many_transitions": CodeText(
        "The net has too many transitions",
        "The Petri net has a transition for each operation and row, and these are too many.",
        "Name fewer processors, or numbers of them with common factors.",
    ),
    "two_bandwidths": CodeText(
        "A medium has two bandwidths",
        "All links that share a medium have its bandwidth, and the table states two.",
        "Write the same bandwidth in all lines of the medium.",
    ),
    "two_sizes": CodeText(
        "A file has two sizes",
        "The file had another size before.",
        "Write the same size everywhere.",
    ),
    "unequal_rates": CodeText(
        "The rates of the messages differ",
        "The schedule does not send all messages equally often.",
        "Run `steadygrid check` on the answer.",
    ),
    "unequal_sizes": CodeText(
        "The messages differ in size",
        "All ranks of an algorithm of the format have buffers of one size.",
        "Leave `sizes` out.",
    ),
    "unknown_class": CodeText(
        "There is no such class",
        "The file or the answer names a class that does not exist.",
        "Correct the name.",
    ),
    "unknown_column": CodeText(
        "The columns are wrong",
        "The first line of the table names neither hosts, nor links with bandwidths, nor "
        "a matrix, or it names a column twice.",
        "Name the columns as `steadygrid formats` lists them.",
    ),
    "unknown_dialect": CodeText(
        "There is no such dialect",
        "The name is none of the dialects of the format.",
        "Choose a dialect that the message lists.",
    ),
    "unknown_file": CodeText(
        "There is no such file",
        "The application has no file of this name between these tasks.",
        "Name a file of the application.",
    ),
    "unknown_order": CodeText(
        "There is no such order",
        "The name is none of the orders of moves.",
        "Choose one that the message lists.",
    ),
    "unknown_protocol": CodeText(
        "There is no such protocol",
        "The name is none of the protocols of the format.",
        "Choose a protocol that the message lists.",
    ),
    "unknown_split": CodeText(
        "There is no such split",
        "The name is none of the forms of splitting.",
        "Choose one that the message lists.",
    ),
    "unknown_trees": CodeText(
        "There are no such trees",
        "The value of `trees` is none of the choices.",
        "Choose one that the message lists.",
    ),
    "unknown_type": CodeText(
        "The type has no time",
        "No table of the file has a time of this type, so the task cannot run.",
        "Add a time of this type to a table.",
    ),
    "unknown_version": CodeText(
        "The version is unknown",
        "The file follows a version of the schema that is not read.",
        "Use a version that the message lists.",
    ),
}
