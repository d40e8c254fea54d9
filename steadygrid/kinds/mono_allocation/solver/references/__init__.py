"""Methods of the literature without a common allocation: each instance is placed anew.

They are simulated on a number of instances, to be compared with the steady state.
"""
