"""What people read of an answer: summary, certificate and a picture of the period, as lines of text.

Knows no kind by name: everything is read from the view that the kind gives
(`steadygrid.domain.view`), the result's envelope and the schedule. Writes nothing by itself,
neither to a terminal nor to a file.
"""
