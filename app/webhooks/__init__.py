"""Webhooks: receivers that hear of what has ended."""
