"""The field's nouns: exact, frozen, and importing nothing else of steadygrid."""
