"""What the referee finds wrong with bounds and certificates."""

from collections.abc import Mapping

from steadygrid.domain.codes.text import CodeText, of_referee

CODES: Mapping[str, CodeText] = {
    "always_feasible": of_referee(
        "A schedule exists",
        "The outcome is neither `optimal` nor `feasible`. Some processor computes, so a "
        "schedule exists.",
    ),
    "better_move": of_referee(
        "Another move is better",
        "The answer does not name the move of a task that raises the throughput most.",
    ),
    "bound_beaten": of_referee(
        "The bound is beaten",
        "The referee found an answer that is better than the bound of a search.",
    ),
    "bound_not_proved": of_referee(
        "The bound is not proved",
        "The proof leaves room for an answer that is better than the bound.",
    ),
    "cases_missing": of_referee(
        "Cases are missing", "The proof leaves out some choices of who computes what."
    ),
    "cheap_allocation": of_referee(
        "An allocation is too cheap",
        "At the prices of the proof an allocation costs less than 1, so the prices do not "
        "prove the bound.",
    ),
    "cheap_given": of_referee(
        "A given allocation is too cheap",
        "At the prices of the proof a given allocation costs less than 1, so better rates may "
        "exist.",
    ),
    "cheap_mapping": of_referee(
        "A mapping is too cheap",
        "At the prices of the proof an instance may cost less than 1, so the prices do not "
        "prove the bound.",
    ),
    "cheap_operation": of_referee(
        "An operation is too cheap",
        "At the prices or cuts of the proof an operation costs less than 1, so they do "
        "not prove the bound.",
    ),
    "cheap_share": of_referee(
        "A share is too cheap",
        "At the prices of the proof a share costs less than its load is worth.",
    ),
    "cheap_tasks": of_referee(
        "The tasks are too cheap",
        "At the prices of the proof a task costs less than 1 on average, so the prices do not "
        "prove the bound.",
    ),
    "cheap_traffic": of_referee(
        "The traffic is too cheap",
        "At the prices of the proof another optimal routing may carry less.",
    ),
    "dear_objective": of_referee(
        "The objective is too dear", "The prices on the objective sum to more than its weight."
    ),
    "dear_resources": of_referee(
        "The prices sum to more than 1", "The prices of a proof of a time sum to at most 1."
    ),
    "dear_start": of_referee(
        "A start is too dear",
        "The prices on the start of an installment sum to more than those on its end.",
    ),
    "factor_not_largest": of_referee(
        "The factor is not the largest",
        "No resource is busy all the time, so a larger factor is possible.",
    ),
    "ghost_constraint": of_referee(
        "A price has no constraint", "The proof prices a constraint that the program does not have."
    ),
    "ghost_resource": of_referee(
        "A price has no resource",
        "The proof prices a resource that the platform does not have, or that its port "
        "model does not limit.",
    ),
    "guarantee_not_kept": of_referee(
        "A guarantee is broken", "The makespan is longer than the theorem guarantees."
    ),
    "guarantee_not_proved": of_referee(
        "A guarantee is not proved", "The theorem does not state this guarantee here."
    ),
    "heavy_cuts": of_referee(
        "The cuts are too heavy",
        "The cuts that a link crosses weigh more than its price and the potentials of its ends.",
    ),
    "idle_prices": of_referee(
        "Prices prove nothing", "In a case without any schedule nothing has a price."
    ),
    "infeasible_unproved": of_referee(
        "The refusal is not proved", "The proof does not show that no schedule exists."
    ),
    "missing_without_prices": of_referee(
        "A missing allocation has no prices",
        "Without prices nothing says which allocation is missing.",
    ),
    "negative_price": of_referee("A price is negative", "Each price of a proof is 0 or more."),
    "never_infeasible": of_referee(
        "The instance has a solution",
        "The answer says that no solution exists. To compute nothing is one. A chain "
        "computes each load on a processor that can.",
    ),
    "never_unknown": of_referee(
        "The outcome cannot be unknown",
        "The method always finds an answer, or finds that none exists.",
    ),
    "no_bound": of_referee("The bound is missing", "The answer needs a bound, and it has none."),
    "no_cut": of_referee(
        "The cut separates nothing",
        "A cut holds some processors of the platform and leaves some out.",
    ),
    "no_dependency": of_referee(
        "A step waits for nothing",
        "A step of the critical cycle does not wait for the one before it.",
    ),
    "no_improvement": of_referee(
        "The missing allocation is no improvement",
        "At the prices of the proof the missing allocation costs 1 or more.",
    ),
    "no_move": of_referee(
        "The move is impossible", "The mapping has no such task on that processor."
    ),
    "no_theorem": of_referee(
        "No theorem proves the order", "The answer calls an order the best, and no theorem says so."
    ),
    "not_better": of_referee(
        "The move is no improvement", "The stated move does not raise the throughput."
    ),
    "not_closed": of_referee(
        "The set has a link across",
        "The proof needs a set of processors that no link leaves or enters, and one does.",
    ),
    "not_critical": of_referee(
        "The cycle is not critical",
        "The time of the stated cycle for a data set is neither the period nor that of the bound.",
    ),
    "not_infeasible": of_referee(
        "The instance has a solution",
        "The answer says that no solution exists, and the referee finds one.",
    ),
    "not_least_period": of_referee(
        "A shorter period is possible", "The same stages can keep a shorter period."
    ),
    "not_proved": of_referee(
        "The proof is too large or missing",
        "The referee cannot repeat the proof, so the bound or the outcome `infeasible` is "
        "not proved.",
    ),
    "not_repeated": of_referee(
        "The proof takes too long",
        "The referee cannot repeat the search in reasonable time, so the bound is that of a "
        "search.",
    ),
    "not_the_best_rates": of_referee(
        "The rates are not the best", "The prices of the given allocations and the value differ."
    ),
    "not_the_cheapest": of_referee(
        "The missing allocation is not the cheapest",
        "Another allocation costs less at the prices of the proof.",
    ),
    "nothing_given": of_referee(
        "Nothing was given",
        "The answer has a part or a proof of given allocations, and the method is not `given`.",
    ),
    "nothing_missing": of_referee(
        "No allocation is missing", "The prices prove the bound for every allocation."
    ),
    "odd_set_overload": of_referee(
        "A set of processors is overloaded",
        "The pairs of an odd set need more time for transfers than it has.",
    ),
    "order_not_by_link_time": of_referee(
        "The order is not by link time",
        "The theorem asks for workers in the order of their link times.",
    ),
    "potential_of_copier": of_referee(
        "A copier has a potential",
        "A processor that copies or combines has no potential in the proof.",
    ),
    "potentials_of_nothing": of_referee(
        "Potentials have no place here", "Only `allreduce` has potentials of both directions."
    ),
    "prices_miss_bound": of_referee(
        "The prices miss the bound",
        "The prices of the proof prove another bound than the answer states.",
    ),
    "prices_not_one": of_referee(
        "The prices do not sum to 1", "The prices of this proof sum to 1."
    ),
    "prices_of_a_word": of_referee(
        "A search has no prices",
        "The bound is that of a search, so prices have no place in its proof.",
    ),
    "prices_of_given_rates": of_referee(
        "Prices have no place here", "The rates are given, so no program was solved."
    ),
    "prices_of_one_order": of_referee(
        "The prices hold for one order", "Prices prove nothing about other orders of workers."
    ),
    "prices_of_participants": of_referee(
        "The prices hold for these workers", "Prices prove nothing about other sets of workers."
    ),
    "proves_nothing": of_referee(
        "The set proves nothing",
        "The set must part the data from a processor that needs them, and it does not.",
    ),
    "rate_not_given": of_referee(
        "A rate is not that given",
        "The rate of an allocation is not its given rate times the factor.",
    ),
    "search_too_long": of_referee(
        "The search takes too long",
        "The referee cannot repeat the search, so the bound must be called that of a search.",
    ),
    "shorter_intervals": of_referee(
        "Shorter intervals exist", "The referee finds intervals with a period below the bound."
    ),
    "something_found": of_referee(
        "The method finds an answer",
        "The answer says that nothing was found, and the method does find a mapping.",
    ),
    "stray_bound": of_referee(
        "The bound has no place here", "The bound belongs to other costs or another method."
    ),
    "stray_cases": of_referee(
        "The cases have no place here",
        "Cases belong to the bound of the program, in place of its prices.",
    ),
    "too_many_cases": of_referee("Too many cases", "The referee looks at a fixed number of cases."),
    "too_slow": of_referee(
        "The target is missed",
        "The answer has no period, or one that is longer than the target period.",
    ),
    "traffic_not_least": of_referee(
        "The traffic is not the least", "The proof of least traffic gives another value."
    ),
    "uncovered": of_referee(
        "A case is not covered", "The proof leaves out numbers of places that may be enough."
    ),
    "unknown_case": of_referee(
        "A case is unknown",
        "A case decides on installments or loads that do not exist, or decides twice.",
    ),
    "unknown_price": of_referee(
        "A price has no constraint",
        "The proof prices a constraint or resource that does not exist.",
    ),
    "unproved_bound": of_referee(
        "The bound is not proved",
        "The answer states a bound without a certificate that proves it, or marks a bound "
        "wrongly as exact or not exact.",
    ),
    "waits_for_nothing": of_referee(
        "A step waits for nothing",
        "A firing of the circuit needs nothing that the one before it makes.",
    ),
    "weights_fit": of_referee(
        "The weights fit",
        "The processors can run tasks of the whole weight in a shorter period, so the weights "
        "prove nothing.",
    ),
    "whole_chunk_before": of_referee(
        "The bound of whole chunks fails",
        "Without a set of processors, this bound holds only if links share no resource "
        "and no link carries enough whole chunks earlier.",
    ),
    "wide_cut": of_referee(
        "The cut is too wide", "The links of the set let enough chunks through in a shorter time."
    ),
    "word_without_prices": of_referee(
        "The proof has no prices",
        "A search that calls its result optimal needs prices at which no allocation is cheaper.",
    ),
    "wrong_any_rounds_bound": of_referee(
        "The bound for any rounds is wrong",
        "The bound for any number of messages does not follow from its prices.",
    ),
    "wrong_bound": of_referee(
        "The bound is wrong", "The bound is not the one that belongs to this answer."
    ),
    "wrong_bound_source": of_referee(
        "The source of the bound is wrong",
        "This source of a bound does not go with this answer or its certificate.",
    ),
    "wrong_certificate": of_referee(
        "The certificate has a wrong type",
        "This type of certificate proves nothing about this answer.",
    ),
    "wrong_circuit": of_referee(
        "The circuit is wrong",
        "The critical circuit is incomplete, or has parts that do not belong to it.",
    ),
    "wrong_clause": of_referee(
        "A clause is wrong", "The firings of a clause do not wait for each other with these places."
    ),
    "wrong_comparison": of_referee(
        "The comparison is wrong", "The table of methods does not follow from their answers."
    ),
    "wrong_cost": of_referee(
        "The cost is wrong", "The missing allocation has another cost at the prices."
    ),
    "wrong_cycle": of_referee(
        "The cycle is wrong", "The critical cycle has no steps or too many, or should not be there."
    ),
    "wrong_direction": of_referee(
        "The direction is wrong",
        "The cut counts chunks that enter the set where those that leave it count, or the reverse.",
    ),
    "wrong_distance": of_referee(
        "The distance is wrong", "The distance does not follow from value and bound."
    ),
    "wrong_factor": of_referee(
        "The factor is wrong", "There is a factor exactly where rates are given."
    ),
    "wrong_front": of_referee(
        "The front is wrong",
        "The list of periods and places is no front, or does not end at the answer.",
    ),
    "wrong_guarantee": of_referee(
        "The guarantee is wrong",
        "The theorem states another guarantee here, or goes with another method.",
    ),
    "wrong_least_time": of_referee(
        "The least time is wrong",
        "The least time does not follow from the bound and the size of a chunk.",
    ),
    "wrong_length": of_referee(
        "The cycle does not close", "After its data sets the cycle is not at the same places again."
    ),
    "wrong_moves": of_referee(
        "The number of moves is wrong", "The answer counts more moves than exist, or none."
    ),
    "wrong_order": of_referee(
        "The order is wrong",
        "The order leaves out processors, is not the one that was asked, or does not list "
        "the longest times first.",
    ),
    "wrong_order_proof": of_referee(
        "The proof of the order is wrong",
        "The order of workers stands by another argument than the answer names.",
    ),
    "wrong_parts": of_referee(
        "Parts of the answer are wrong",
        "The answer lacks a part that belongs to it, or has one that does not.",
    ),
    "wrong_preferred": of_referee(
        "The second objective is wrong",
        "The answer states a second objective where none was asked, or leaves it out.",
    ),
    "wrong_proof": of_referee(
        "The type of proof is wrong",
        "The stated type of proof is not the one that the bound rests on, or its parts do "
        "not fit it.",
    ),
    "wrong_proved_bound": of_referee(
        "The proved bound is wrong", "The bound holds for other schedules than those of the answer."
    ),
    "wrong_return_order": of_referee(
        "The order of results is wrong",
        "The answer names an order of results that was not asked about.",
    ),
    "wrong_side": of_referee(
        "The set of the cut is wrong", "The set must hold all sources, and no receiver."
    ),
    "wrong_step": of_referee(
        "A step is wrong", "A step of the cycle is at another place, or takes another time."
    ),
    "wrong_sum": of_referee(
        "The sum is wrong", "A sum of the answer does not follow from its parts."
    ),
    "wrong_unlimited": of_referee(
        "The unlimited throughput is wrong",
        "No set of processors proves less than the unlimited throughput, so it must equal "
        "the bound.",
    ),
    "wrong_value": of_referee(
        "The value is wrong",
        "The value does not follow from the period or the parts of the answer.",
    ),
}
