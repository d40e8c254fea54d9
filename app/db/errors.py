"""What the database can answer instead of data."""


class DatabaseUnavailableError(Exception):
    """The database cannot be reached, or is too busy; try again later.

    Raised from a commit it says nothing: the transaction may have been kept. Read the state
    again before deciding.
    """


class DatabaseFullError(DatabaseUnavailableError):
    """There is no room left on the disk of the database: it can be read, and takes no writes."""


class DatabaseDamagedError(DatabaseUnavailableError):
    """The database's file is not a database, or not a whole one."""


class SchemaError(Exception):
    """The tables are of another version than this code."""


class NotStartedError(Exception):
    """The database cannot be used. The message says in a sentence why, and what to do."""


class NotYetError(NotStartedError):
    """The same, where waiting may help: the database is away, or its tables are not there yet."""


class PageTokenError(ValueError):
    """The page token is not one that this service gave."""


class JobOfSweepError(Exception):
    """The job is one of a sweep's."""


class StaleAttemptError(Exception):
    """The job is no longer this attempt's: nothing was written."""


class MigrationError(Exception):
    """The tables are not what the migrations should have made of them."""


class NamesakeError(Exception):
    """There is something left of a former tenant of this name, which a new one would see."""


class FileError(Exception):
    """A database's file, or a backup, is not what it has to be. The message says what to do."""
