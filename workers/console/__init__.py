"""What people read: summary, certificate and a picture of the period, as lines of text.

Knows no kind by name: everything is read from the instance's platform, the result's
envelope and the schedule. Writes nothing by itself; `workers.console.terminal` does.
"""
