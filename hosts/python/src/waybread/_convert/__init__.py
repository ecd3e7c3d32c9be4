"""Values of this package to values of the component, and back.

An argument is named by its path in the contract, as the component itself names it.
"""
