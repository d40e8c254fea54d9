"""The linear program over tasks and files with lists of what constrains them."""
