"""What is wrong with JSON documents, their values, tables and pictures."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText

CODES: Mapping[str, CodeText] = {
    "bool_parsing": CodeText(
        "The text is neither true nor false",
        "A parameter is a truth value, and its text is another one.",
        "Write `true` or `false`.",
    ),
    "bool_type": CodeText(
        "The value is neither true nor false",
        "The field is a truth value, and its value is of another type.",
        "Write `true` or `false` without quotes.",
    ),
    "cannot_run": CodeText(
        "The task does not run there",
        "The plan has no time of this task on this processor.",
        "Measure a processor on which the plan runs the task.",
    ),
    "control_character": CodeText(
        "The text has a control character",
        "Control characters and lone surrogates are not allowed in names.",
        "Remove the character that the message points at.",
    ),
    "cost_and_horizon": CodeText(
        "Cost and horizon belong together",
        "A cost of a change is weighed against the time that is left, and one of the two is missing.",
        "Give both `cost` and `horizon`, or leave both out.",
    ),
    "dict_type": CodeText(
        "An object is expected",
        "The value is not a JSON object.",
        "Write an object, in braces.",
    ),
    "duplicate_parameter": CodeText(
        "Two parameters have one name",
        "The names of parameters are columns of the table of a sweep.",
        "Give each parameter a name of its own.",
    ),
    "empty_window": CodeText(
        "The window is empty",
        "The window ends before or when it begins, or nothing of the schedule lies in it.",
        "Choose a window within the schedule that ends after it begins, or leave one end out.",
    ),
    "enum": CodeText(
        "The value is none of the choices",
        "The field has a fixed list of values.",
        "Choose a value that the message lists.",
    ),
    "equal_values": CodeText(
        "A value is there twice",
        "Two values of a parameter mean the same, and each is solved once.",
        "Leave one of them out.",
    ),
    "extra_forbidden": CodeText(
        "The field is unknown",
        "The object has no field of this name.",
        "Correct the name, or leave the field out. `steadygrid problems KIND` lists the fields.",
    ),
    "factor_without_meaning": CodeText(
        "The factor has no meaning",
        "No price bounds what a slower resource loses, and a factor of 1 changes nothing.",
        "Give a factor above 1, or 0 for a resource that fails.",
    ),
    "finite_number": CodeText(
        "The number is not finite",
        "Infinity and NaN are no quantities.",
        "Write a finite number.",
    ),
    "float_parsing": CodeText(
        "The text is no number",
        "A parameter is a number, and its text is none.",
        "Write a number such as `2.5`.",
    ),
    "float_type": CodeText(
        "A number is expected",
        "The value is not a number, or it has a unit.",
        "Write the number without quotes and without a unit.",
    ),
    "greater_than": CodeText(
        "The number is too small",
        "The number must be greater than the bound in the message.",
        "Write a larger number.",
    ),
    "greater_than_equal": CodeText(
        "The number is too small",
        "The number must be at least the bound in the message.",
        "Write a number that is at least the bound.",
    ),
    "in_the_future": CodeText(
        "A measurement lies in the future",
        "The moment of a measurement is more than an hour later than now.",
        "Write when it was measured, with the time zone.",
    ),
    "int_from_float": CodeText(
        "A whole number is expected",
        "The number has a fraction.",
        "Write a whole number.",
    ),
    "int_parsing": CodeText(
        "The text is no whole number",
        "A parameter is a whole number, and its text is none.",
        "Write a whole number in digits.",
    ),
    "int_parsing_size": CodeText(
        "The number has too many digits",
        "The whole number is longer than is read.",
        "Write a smaller number.",
    ),
    "int_type": CodeText(
        "A whole number is expected",
        "The value is not a whole number.",
        "Write a whole number without quotes.",
    ),
    "invalid_id": CodeText(
        "The id cannot be used",
        "Ids neither contain `->` or `--` nor begin or end with `-`, because they name links "
        "and resources in answers.",
        "Choose another id.",
    ),
    "invalid_lanes": CodeText(
        "The list of lanes is wrong",
        "The lanes of a picture are a list of ids of resources.",
        'Give a list of ids, such as `["P1", "P2"]`.',
    ),
    "invalid_number": CodeText(
        "The text is no number",
        "A parameter of the picture is a number, and its text is none.",
        "Write a number such as `2.5` or `3/4`.",
    ),
    "invalid_parameter": CodeText(
        "A parameter has a wrong value",
        "The value of the parameter is outside of what is accepted.",
        "Choose a value that the message allows.",
    ),
    "invalid_target": CodeText(
        "The target of a change is malformed",
        "The text is no path into the body of a job.",
        "Write a path such as `problem/platform/links[source=A]/bandwidth`.",
    ),
    "leads_nowhere": CodeText(
        "The target is not in the document",
        "The path of the change has no place in the body of the job.",
        "Correct the step that the message names.",
    ),
    "less_than": CodeText(
        "The number is too large",
        "The number must be less than the bound in the message.",
        "Write a smaller number.",
    ),
    "less_than_equal": CodeText(
        "The number is too large",
        "The number must be at most the bound in the message.",
        "Write a number that is at most the bound.",
    ),
    "list_type": CodeText(
        "A list is expected",
        "The value is not a JSON list.",
        "Write a list, in brackets.",
    ),
    "literal_error": CodeText(
        "The value is none of the choices",
        "The field has a fixed list of values.",
        "Choose a value that the message lists.",
    ),
    "malformed_csv": CodeText(
        "The table is malformed",
        "The text is no table of comma-separated values.",
        "Correct the line that the message names.",
    ),
    "mapping_type": CodeText(
        "An object is expected",
        "The value is not a JSON object.",
        "Write an object, in braces.",
    ),
    "measured_twice": CodeText(
        "A resource is measured twice",
        "Two measurements are of the same resource or of the same time on it.",
        "Keep one of them.",
    ),
    "missing": CodeText(
        "A field is missing",
        "The object or the file lacks a part that is required.",
        "Add the part that the message names.",
    ),
    "missing_cell": CodeText(
        "A line has too few cells",
        "A line of the table has fewer cells than columns.",
        "Fill the line that the message names.",
    ),
    "missing_column": CodeText(
        "A column is missing",
        "The first line of the table does not name a column that is needed.",
        "Add the column that the message names.",
    ),
    "model_attributes_type": CodeText(
        "An object is expected",
        "The value is not a JSON object.",
        "Write an object, in braces.",
    ),
    "model_type": CodeText(
        "An object is expected",
        "The value is not a JSON object.",
        "Write an object, in braces.",
    ),
    "negative_rational": CodeText(
        "The quantity is negative",
        "A quantity of this field cannot be negative.",
        "Write a number that is at least 0.",
    ),
    "no_change": CodeText(
        "The upgrade changes nothing",
        "The instance states no speed of this resource, or the resource cannot fail.",
        "Name a processor, link or medium whose speed the instance states.",
    ),
    "no_moment": CodeText(
        "The text is no moment",
        "The value is no date of the years 1970 to 8999 with a time and a time zone.",
        "Write a moment such as 2026-11-27T12:00:00Z.",
    ),
    "no_platform": CodeText(
        "The kind has no platform",
        "Problems of this kind have no platform that a study could change.",
        "Ask the study of a job with a platform.",
    ),
    "no_speed": CodeText(
        "The plan states no speed",
        "The measurement is a speed, and the plan has no speed of this processor.",
        "Measure the time of each task on it instead.",
    ),
    "not_a_quantity": CodeText(
        "The value is no quantity",
        "Only quantities can be multiplied, and the place holds something else.",
        "Put a value there with `at`, or name a quantity.",
    ),
    "not_a_target": CodeText(
        "The place cannot vary",
        "Parameters of a sweep change members of `problem` other than `kind`, `options` and "
        "`name`.",
        "Name a place within the problem.",
    ),
    "not_later": CodeText(
        "The measurements are out of order",
        "Each measurement is later than the one before.",
        "List the measurements in the order of time.",
    ),
    "not_storable": CodeText(
        "The part cannot be stored",
        "This platform or application holds what only the kind itself can read.",
        "Give the object itself in the body.",
    ),
    "not_transient": CodeText(
        "Jobs of a sweep are kept",
        "The template asks for transient jobs, and a sweep keeps its jobs.",
        "Leave `transient` out.",
    ),
    "not_vega": CodeText(
        "The picture is not drawn with Vega-Lite",
        "The picture is written as SVG and has no Vega-Lite form.",
        "Ask for svg, png, pdf or html.",
    ),
    "nothing_measured": CodeText(
        "The measurement has no value",
        "A measurement names no resource, or a measured processor has neither speed, nor "
        "unit time, nor times.",
        "Name what was measured, and give the `speed`, the `unit_time` or the `times` of "
        "a processor.",
    ),
    "one_of_at_and_scale": CodeText(
        "One of at and scale is needed",
        "A change says where a value is put, or what it multiplies.",
        "Give either `at` or `scale`.",
    ),
    "out_of_range": CodeText(
        "The number is out of range",
        "A number of the picture is outside of the range in the message.",
        "Choose a number within the range.",
    ),
    "overlapping_targets": CodeText(
        "Two parameters change one place",
        "The places that two targets change are within one another.",
        "Leave one of the targets out.",
    ),
    "rational_too_long": CodeText(
        "The number has too many digits",
        "The number, or the result of a factor, has more digits than are read.",
        "Round the number.",
    ),
    "schedule_form_twice": CodeText(
        "Two schedules are given",
        "The document holds a schedule in two forms that do not agree.",
        "Keep one form of the schedule.",
    ),
    "string_pattern_mismatch": CodeText(
        "The text has a wrong form",
        "The text does not match the pattern of the field.",
        "Write a text that the message allows.",
    ),
    "string_sub_type": CodeText(
        "A text is expected",
        "The value is not a text.",
        "Write a text, in quotes.",
    ),
    "string_too_long": CodeText(
        "The text is too long",
        "The text has more characters than are accepted.",
        "Shorten the text.",
    ),
    "string_too_short": CodeText(
        "The text is too short",
        "The text has fewer characters than are needed.",
        "Write a longer text.",
    ),
    "string_type": CodeText(
        "A text is expected",
        "The value is not a text.",
        "Write a text, in quotes.",
    ),
    "string_unicode": CodeText(
        "The text has forbidden characters",
        "Control characters and lone surrogates are not allowed.",
        "Remove these characters.",
    ),
    "too_few_measurements": CodeText(
        "Too few measurements",
        "A forecast needs one measurement to begin with and one to compare.",
        "Give two measurements or more.",
    ),
    "too_large": CodeText(
        "The picture is too large",
        "The answer has too much to draw in this picture, or the image would have too many pixels.",
        "Ask for the table as csv or html. Ask for a smaller `scale` or for svg if the "
        "image has too many pixels.",
    ),
    "too_long": CodeText(
        "The list is too long",
        "The list has more entries than are accepted, or an answer is too long to be checked.",
        "Give fewer entries.",
    ),
    "too_many": CodeText(
        "Too many lanes are named",
        "The request names more lanes than a picture has.",
        "Name fewer lanes.",
    ),
    "too_many_lanes": CodeText(
        "Too many lanes are asked for",
        "The request names more lanes than a picture has.",
        "Ask for fewer lanes.",
    ),
    "too_short": CodeText(
        "The list is too short",
        "The list or the file has fewer entries than are needed.",
        "Add an entry.",
    ),
    "tuple_type": CodeText(
        "A list is expected",
        "The value is not a JSON list.",
        "Write a list, in brackets.",
    ),
    "unequal_lengths": CodeText(
        "The lists of values differ in length",
        "In the mode `zip` all parameters have the same number of values.",
        "Give each parameter the same number of values, or use the mode `product`.",
    ),
    "union_tag_invalid": CodeText(
        "The type of the object is unknown",
        "The field that tells the type of the object has an unknown value.",
        "Choose a value that the message lists.",
    ),
    "union_tag_not_found": CodeText(
        "The type of the object is missing",
        "The field that tells the type of the object is missing.",
        "Add the field that the message names.",
    ),
    "unknown_lane": CodeText(
        "There is no such lane",
        "The schedule has no lane of this resource.",
        "Name a resource that the schedule uses.",
    ),
    "unknown_method": CodeText(
        "There is no such method",
        "The name is none of the methods.",
        "Choose a method that the message lists.",
    ),
    "unknown_resource": CodeText(
        "There is no such resource",
        "The platform has no resource of this name under its port model.",
        "Name a resource as the answer lists it, such as `P1.send`.",
    ),
    "unknown_theme": CodeText(
        "There is no such theme",
        "The name is none of the themes of pictures.",
        "Choose a theme that the message lists.",
    ),
    "unknown_unit": CodeText(
        "The unit is unknown",
        "The text after the number is no unit of this quantity.",
        "Write a unit that the message names, such as MB or Gbit/s.",
    ),
    "zero_denominator": CodeText(
        "The denominator is zero",
        "A fraction has the denominator 0.",
        "Write a fraction with another denominator.",
    ),
    "zero_rational": CodeText(
        "The quantity is zero",
        "A quantity of this field must be greater than 0.",
        "Write a number above 0, or leave the field out where it is optional.",
    ),
}
