"""Helpers for other libraries, one module per library. All libraries are optional."""
