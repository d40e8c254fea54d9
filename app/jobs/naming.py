"""What the files about a job are called."""

from app.db.jobs import JobRecord
from app.http.file_names import plain_part


def file_stem(record: JobRecord) -> str:
    """Begin the names of files about a job: its name, as far as any system takes it, or its id."""
    return plain_part(record.name or "") or record.id
