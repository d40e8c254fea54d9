"""What the database can answer instead of data."""


class DatabaseUnavailableError(Exception):
    """The database cannot be reached, or is too busy; try again later.

    Raised from a commit it says nothing: the transaction may have been kept. Read the state
    again before deciding.
    """


class PageTokenError(ValueError):
    """The page token is not one that this service gave."""


class JobActiveError(Exception):
    """The job has not ended, so it cannot be deleted."""


class StaleAttemptError(Exception):
    """The job is no longer this attempt's: nothing was written."""


class MigrationError(Exception):
    """The tables are not what the migrations should have made of them."""
