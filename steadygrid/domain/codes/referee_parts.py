"""What the referee finds wrong with the parts of a result."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText, of_referee

CODES: Mapping[str, CodeText] = {
    "above_optimum": of_referee(
        "A run does more than the optimum",
        "Without noise, no run of a schedule does more than the bound of its problem.",
    ),
    "broken_chunk": of_referee(
        "A chunk is broken", "An allocation carries a number of chunks that is not whole."
    ),
    "cells_miss_tasks": of_referee(
        "The cells leave tasks out", "Some tasks of a bag are in no cell."
    ),
    "cells_overlap": of_referee("Two cells overlap", "Some task of a bag is in two cells."),
    "chunks_of_nothing": of_referee(
        "Chunks have no place here",
        "A proof by whole chunks belongs to answers with whole chunks only.",
    ),
    "combined_elsewhere": of_referee(
        "A combination runs elsewhere", "A combination and its task are on different processors."
    ),
    "combined_for_nothing": of_referee(
        "Data are combined without need",
        "The message moves as it is, and an allocation combines data of it.",
    ),
    "compute_overload": of_referee(
        "A processor is overloaded", "The tasks of a processor need more than all of its time."
    ),
    "depth_of_nothing": of_referee(
        "A path has a depth", "An allocation that is a path states no depth."
    ),
    "detour": of_referee(
        "A file takes a detour", "One bus joins all cores, so no file passes another core."
    ),
    "ghost_operation": of_referee(
        "An operation does not exist",
        "The answer names an operation that the workflow does not have.",
    ),
    "may_not_combine": of_referee(
        "A processor may not combine", "The processor only forwards, and it combines data."
    ),
    "never_simulated": of_referee(
        "Nothing was simulated", "The method simulates no stream, and the answer has a run."
    ),
    "no_latency": of_referee(
        "The latency is missing", "The schedule has a latency, and the result has none."
    ),
    "no_order": of_referee(
        "Two firings have no order",
        "Without a channel, firings of different actors do not wait for each other.",
    ),
    "no_output": of_referee(
        "There are no output files", "The problem has no output files, and the answer sends some."
    ),
    "no_plan": of_referee(
        "The plan is missing",
        "The policy follows a plan, and the plan does not say where all tasks go.",
    ),
    "no_service": of_referee(
        "The order of service is missing", "The answer needs an order of service."
    ),
    "no_throughput": of_referee(
        "A run completes nothing", "A run of the simulation completes no instance."
    ),
    "no_time": of_referee("The circuit takes no time", "A circuit without time limits nothing."),
    "no_whole_chunks": of_referee(
        "A number of chunks is not whole",
        "Each tree of a completion carries whole chunks, at least one where the message "
        "has a size.",
    ),
    "not_combined": of_referee(
        "Data are not combined", "No combination uses data that arrive at a processor."
    ),
    "not_conserved": of_referee(
        "Files are lost or made", "What enters a processor is not what it uses or sends on."
    ),
    "not_given": of_referee(
        "The allocation was not given", "The answer has an allocation that is none of those given."
    ),
    "not_greedy": of_referee(
        "The mapping is not greedy", "Algorithm 7 puts the tasks on other cores."
    ),
    "not_on_ppe": of_referee(
        "A task is not on the first PPE", "The method runs all tasks on the first PPE."
    ),
    "not_as_predicted": of_referee(
        "The program does not take its predicted time",
        "Without noise a program takes the time that the given result predicts.",
    ),
    "not_one_tree": of_referee(
        "The routes are not one tree",
        "The routes of an allocation are not one tree between all that have or get the message.",
    ),
    "not_repeating": of_referee(
        "The state does not repeat",
        "A turn of all rows delays a resource by more than one turn, or no part of the "
        "processors by exactly one.",
    ),
    "not_the_plan": of_referee(
        "The run is not the plan", "By the clock and without noise, a run does what the plan says."
    ),
    "not_the_route": of_referee(
        "The path is not the route", "With fixed routing a file takes the route of the platform."
    ),
    "other_course": of_referee(
        "A data set takes another course",
        "Each data set takes the course of the first, some periods later.",
    ),
    "other_mapping": of_referee(
        "The mapping is another one",
        "The schedule has another mapping than the result, or the result another one than "
        "was given.",
    ),
    "other_plan": of_referee(
        "The stages are others", "The stages of the answer are not those that were given."
    ),
    "other_ways": of_referee(
        "The files take other paths",
        "The files take other paths than those that were given or are usual.",
    ),
    "out_of_order": of_referee(
        "The operands are out of order",
        "A combination joins operands that do not follow each other in the fixed order.",
    ),
    "over_capacity": of_referee(
        "A channel overflows", "A firing takes a place of a channel before it is free."
    ),
    "overloaded": of_referee(
        "A resource is overloaded",
        "The rates, or the transfers of a slot, keep a resource busy for longer than "
        "there is time.",
    ),
    "passes_copier": of_referee(
        "A route passes a copier", "Routes end at a processor that copies, and begin there anew."
    ),
    "plan_not_optimal": of_referee(
        "The plan is not optimal", "The prices of the plan allow more than its rates sum to."
    ),
    "routed_twice": of_referee(
        "A file is listed twice", "The answer lists a file twice for the same route."
    ),
    "schedule_of_once": of_referee(
        "One operation has no schedule",
        "An operation that runs once has a plan, and no periodic schedule.",
    ),
    "sent_twice": of_referee(
        "A file is listed twice", "The answer lists a file twice for the same link."
    ),
    "several_ways": of_referee(
        "An allocation has several routes",
        "Each route of such a message is an allocation of its own.",
    ),
    "shares_unsorted": of_referee(
        "The shares are out of order", "The shares are listed in the order of the messages."
    ),
    "slower_than_plan": of_referee(
        "The run is slower than the plan", "Without noise, a run is at least as fast as the plan."
    ),
    "through_master": of_referee(
        "A file passes the master", "No route passes through the master a second time."
    ),
    "too_busy": of_referee(
        "A resource is too busy", "A resource needs more time for a data set than the period has."
    ),
    "too_few_operands": of_referee(
        "A combination has too few operands", "A combination has two operands or more."
    ),
    "too_many_pieces": of_referee(
        "The plan has too many pieces", "The referee replays a fixed number of pieces."
    ),
    "unknown_core": of_referee(
        "There is no such core", "The mapping names a core that the machine does not have."
    ),
    "unknown_operand": of_referee(
        "There is no such operand",
        "A combination uses data that no source has and no combination made before.",
    ),
    "unused_program": of_referee(
        "A program is unused", "The answer lists a program of which it predicts no time."
    ),
    "used_twice": of_referee(
        "An operand is used twice", "Each operand is used by one combination."
    ),
    "wrong_answer": of_referee(
        "The answer is another run",
        "The answer must be the fastest run, with its throughput, bound and prices.",
    ),
    "wrong_bags": of_referee(
        "The rates of the bags are wrong",
        "The rates of the bags do not follow from the run or the value.",
    ),
    "wrong_bandwidth": of_referee(
        "The bandwidth is wrong",
        "The algorithmic bandwidth does not follow from the throughput or completion.",
    ),
    "wrong_batch_time": of_referee(
        "The time of a batch is wrong",
        "The data sets of an update and their reductions take another time.",
    ),
    "wrong_blocks": of_referee(
        "The number of blocks is wrong", "The busiest rank needs another number of blocks."
    ),
    "wrong_bottleneck": of_referee(
        "The bottleneck is wrong", "Another resource is busy for the longest time."
    ),
    "wrong_bottlenecks": of_referee(
        "The bottlenecks are wrong", "Another set of resources is busy all the time."
    ),
    "wrong_buckets": of_referee(
        "The classes of the sample are wrong", "The sample makes other classes than the plan lists."
    ),
    "wrong_buffer": of_referee(
        "The buffer is wrong", "A processor holds another amount of data at a time."
    ),
    "wrong_buffers": of_referee(
        "The buffers are wrong",
        "The places or bytes of the buffers do not follow from the schedule.",
    ),
    "wrong_capacities": of_referee(
        "The capacities are wrong",
        "The capacities are of other channels, too small, or of another sum.",
    ),
    "wrong_cell": of_referee(
        "A cell is wrong", "A class has no cell of the grid, or a cell that is not its own."
    ),
    "wrong_chain": of_referee(
        "The chain is wrong", "The answer is about another chain than the problem."
    ),
    "wrong_channel": of_referee(
        "A channel is wrong", "The channel does not lead from one firing to the next."
    ),
    "wrong_chunks": of_referee(
        "The chunks are wrong",
        "The chunks are missing, were not asked for, or do not make up the size of a message.",
    ),
    "wrong_class": of_referee(
        "A class is wrong",
        "The classes of a bag, their numbers or their values do not follow from the problem.",
    ),
    "wrong_completion": of_referee(
        "The completion is wrong", "The plan or a load is complete at another time."
    ),
    "wrong_computed": of_referee(
        "The computed tasks are wrong",
        "The answer counts other tasks on a processor than the run has.",
    ),
    "wrong_copies": of_referee(
        "The numbers of copies are wrong",
        "The answer counts other processors of the stages than the mapping has.",
    ),
    "wrong_count": of_referee(
        "A number is wrong",
        "The answer has another number of chunks than was asked, or moves more or fewer "
        "files than its instances need.",
    ),
    "wrong_critical_resource": of_referee(
        "The critical resource is wrong",
        "A critical resource is busy for the longest time. It is named exactly where this "
        "time is the period.",
    ),
    "wrong_depth": of_referee(
        "The depth is wrong", "The depth of an allocation or program does not follow from its tree."
    ),
    "wrong_depth_bound": of_referee(
        "The bound of the depth is wrong", "The bound is the largest distance from the roots."
    ),
    "wrong_depth_max": of_referee(
        "The largest depth is wrong", "The largest depth does not follow from the trees."
    ),
    "wrong_depth_mean": of_referee(
        "The mean depth is wrong", "The mean depth does not follow from the trees and their data."
    ),
    "wrong_dma": of_referee(
        "The DMA calls are wrong", "The listed calls do not follow from the mapping."
    ),
    "wrong_error": of_referee(
        "An error of measurement is wrong",
        "All rows have an error or none has one, and the clock without noise has none.",
    ),
    "wrong_events": of_referee(
        "The events are wrong", "The listed events are not the first events of the run."
    ),
    "wrong_every": of_referee("The turn is wrong", "The rows come back after another time."),
    "wrong_fields": of_referee(
        "A field is missing or stray",
        "The method needs a field that the answer lacks, or cannot have one that it has.",
    ),
    "wrong_firing": of_referee(
        "A firing is wrong",
        "The number of a firing is negative, or does not follow from the one before it.",
    ),
    "wrong_given_rates": of_referee(
        "The sum of given rates is wrong",
        "The sums do not follow from the rates of the allocations.",
    ),
    "wrong_grid": of_referee(
        "A cell is not of the grid", "The bounds of a cell are not those of the geometric grid."
    ),
    "wrong_in_flight": of_referee(
        "The data sets in flight are wrong",
        "A copy of the stage holds another number of data sets at a time.",
    ),
    "wrong_installments": of_referee(
        "The installments are wrong",
        "The number of installments of a load is not what was asked or is possible.",
    ),
    "wrong_items": of_referee(
        "The number of items is wrong", "The items of a share are its part of all items."
    ),
    "wrong_iterations": of_referee(
        "The iterations are wrong",
        "The circuit does not advance by this whole number of iterations.",
    ),
    "wrong_lag": of_referee(
        "A lag is wrong",
        "A lag is a number of data sets, 0 or more, and some proofs allow no lags.",
    ),
    "wrong_limiting": of_referee(
        "The limiting resources are wrong", "Other resources limit these stages."
    ),
    "wrong_load": of_referee(
        "The load of a stage is wrong", "The time of both passes of a stage is another one."
    ),
    "wrong_loads": of_referee(
        "The loads are wrong",
        "The loads of the answer are not those of the problem, in their order.",
    ),
    "wrong_local_store": of_referee(
        "The local stores are wrong",
        "The listed use of local stores does not follow from the mapping.",
    ),
    "wrong_loops": of_referee(
        "The number of loops is wrong",
        "The loops of a prediction do not follow from its bytes, or are too many to replay.",
    ),
    "wrong_mapping": of_referee(
        "The mapping is wrong", "The mapping of the answer is not the one that was to be evaluated."
    ),
    "wrong_mct": of_referee(
        "The longest time is wrong", "The longest time of a resource is another one."
    ),
    "wrong_memory": of_referee(
        "The memory is wrong",
        "A copy of the stage needs another amount of memory than the answer states.",
    ),
    "wrong_messages": of_referee(
        "The messages are wrong", "The messages of the result are not those of the operation."
    ),
    "wrong_modulus": of_referee(
        "The number of rows is wrong",
        "The rows of an operation are no fitting multiple of its copies.",
    ),
    "wrong_occupation": of_referee(
        "The occupation is wrong", "The times of the resources do not follow from the mapping."
    ),
    "wrong_operation": of_referee(
        "The operation is wrong", "The result is of another operation than the problem."
    ),
    "wrong_operations": of_referee(
        "The operations are wrong", "The order of service and the rows name different operations."
    ),
    "wrong_period": of_referee(
        "The period is wrong", "The period does not follow from what the resources have to do."
    ),
    "wrong_place": of_referee(
        "A place is wrong", "The operation runs on another processor or link in this row."
    ),
    "wrong_plan": of_referee(
        "The plan is wrong",
        "The answer has a plan that it must not have, or one that does not fit it.",
    ),
    "wrong_prediction": of_referee(
        "The prediction is wrong", "The replayed program takes another time."
    ),
    "wrong_program": of_referee(
        "The program is wrong",
        "A program has instances, trees and chunks above 0, and not too many moves.",
    ),
    "wrong_proportion": of_referee(
        "The proportions are wrong", "The rate of a class is not its share of the value."
    ),
    "wrong_ratio": of_referee(
        "A ratio is wrong", "The ratio does not follow from the values that it compares."
    ),
    "wrong_recommendation": of_referee(
        "The recommendation is wrong",
        "The recommendation is not the simplest execution of those that do most at this "
        "noise, or does not state what it does.",
    ),
    "wrong_reduce_time": of_referee(
        "The time of reductions is wrong",
        "A ring reduces the weights of the stage in another time.",
    ),
    "wrong_residue": of_referee(
        "A residue is wrong", "A row belongs to another residue of the data sets."
    ),
    "wrong_resources": of_referee(
        "The resources are wrong", "The listed resources are not those that the mapping uses."
    ),
    "wrong_root": of_referee(
        "The root is wrong", "The trees or routes of the message have another root."
    ),
    "wrong_round": of_referee(
        "A round is wrong", "On trees each share is sent in the first round, and states no items."
    ),
    "wrong_rounds": of_referee(
        "The number of rounds is wrong", "The messages have another number of rounds."
    ),
    "wrong_routed": of_referee(
        "Routed rates have no place here",
        "Routed rates belong to answers with fixed routing, and to all of them.",
    ),
    "wrong_row": of_referee(
        "A row is wrong",
        "A row of a prediction has other bytes or another program than is due. Or a row "
        "of a proof does not hold.",
    ),
    "wrong_rows": of_referee(
        "The rows are wrong", "The answer lists or counts other rows than are due."
    ),
    "wrong_runs": of_referee(
        "The runs are wrong",
        "The answer lists runs that it must not have, or other runs than were asked.",
    ),
    "wrong_service": of_referee(
        "The order of service is wrong",
        "The order of service is not the one that is due, or does not list every "
        "operation once, behind its input.",
    ),
    "wrong_size": of_referee(
        "The size of a chunk is wrong", "The size of a chunk does not follow from the instance."
    ),
    "wrong_speed_up": of_referee(
        "The speed-up is wrong", "The speed-up does not follow from the two periods."
    ),
    "wrong_stages": of_referee(
        "The stages are wrong",
        "The stages do not hold every layer or task once, in order, or one has no host "
        "type or no copies.",
    ),
    "wrong_startup": of_referee(
        "The start-up is wrong", "With start-up costs paid, the makespan is another one."
    ),
    "wrong_subject": of_referee(
        "The subject is wrong", "A value of the simulated schedule is not that of its documents."
    ),
    "wrong_summary": of_referee(
        "The summary is wrong", "Mean, least or greatest do not follow from the runs."
    ),
    "wrong_time": of_referee(
        "A time is wrong", "The time of an operation does not follow from the instance."
    ),
    "wrong_token": of_referee(
        "A token is wrong", "A firing of the circuit takes another token of the channel."
    ),
    "wrong_tokens": of_referee(
        "The tokens are wrong", "A channel has another number of tokens at the beginning."
    ),
    "wrong_tree_count": of_referee(
        "The number of trees is wrong", "The number of trees is that of the allocations."
    ),
    "wrong_unfolding": of_referee(
        "The unfolding is wrong",
        "The starts of an actor repeat after a whole number of cycles, at least 1. For "
        "`strictly_periodic` it is 1.",
    ),
}
