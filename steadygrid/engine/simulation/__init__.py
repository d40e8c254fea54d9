"""Instances of a graph executed side by side: what they reserve, and when they end.

`execution` runs tasks and files under the port models, in whole steps of one lattice of dates;
`timetable` keeps what is free of each resource and finds the earliest date at which one fits.
"""
