"""Pages for people: HTML that is complete without a script, besides the API at ``/v1``.

Each page reads what it shows by the services of the resources, and says it by the sentences of
`steadygrid.report`, which the command line uses too; `words` has those that only pages need.
"""
