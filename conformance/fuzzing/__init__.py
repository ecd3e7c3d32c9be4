"""Random sessions in the cases' format, and what must hold of every one of them."""
