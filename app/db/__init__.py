"""The database: the only package that knows SQL.

Open it once per process and work in units, each one transaction::

    database = Database.open(settings.effective_database_url)
    with database.write(tenant) as unit:
        unit.jobs.add(new_job)
    with database.read(tenant) as unit:
        job = unit.jobs.get(job_id)

Code that works for all tenants asks for `read_all` and `write_all`. No caller gets a tenant by
default. A unit commits when its block ends and rolls back when it raises. Nothing else commits.
What is costly to prepare (`NewJob.create`, `pack_schedule`) is prepared before the unit is opened: on
SQLite a writing unit keeps every other writer waiting.
"""
