"""The database: the only package that knows SQL.

Open it once per process and work in units, each one transaction::

    database = Database.open(settings.effective_database_url)
    with database.write() as unit:
        unit.jobs.add(new_job)
    with database.read() as unit:
        job = unit.jobs.get(job_id)

A unit commits when its block ends and rolls back when it raises; nobody else commits. What
is costly to prepare (`NewJob.of`, `pack_schedule`) is prepared before the unit is opened:
on SQLite a writing unit keeps every other writer waiting.
"""
