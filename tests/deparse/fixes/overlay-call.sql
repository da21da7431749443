SELECT pg_catalog.overlay(a, b, c, d)
