"""Pictures of answers and platforms: exact data in, Vega-Lite out.

Needs the extra ``pictures``: Altair, and vl-convert to draw. Nothing of either is loaded before a
picture is asked for.
"""
