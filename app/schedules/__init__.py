"""Schedules: who does what when, in pages."""
