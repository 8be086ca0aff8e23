"""Helpers for other libraries, a module each. None of the libraries is required: import the module of the one you have."""
