"""The workers of the service: tasks, supervisor, sweeper, and the commands of the service."""
