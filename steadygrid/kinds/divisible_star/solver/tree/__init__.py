"""One linear round on a tree: closed form, linear program, answer."""
