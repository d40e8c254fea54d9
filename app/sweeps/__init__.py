"""Sweeps: many jobs from one template."""
