"""What the documents say of how much pictures draw is what they draw."""

from steadygrid.pictures import prices, shares, trees
from tests.tree import ROOT


def test_the_limits_that_are_documented_are_those_of_the_pictures() -> None:
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    said = (
        f"Of prices the {prices.MOST_BARS} greatest bars are drawn, of shares {shares.MOST_BARS},"
        f" of trees {trees.MOST_TREES} shapes with {trees.MOST_ROWS} rows each"
    )
    assert said in text
