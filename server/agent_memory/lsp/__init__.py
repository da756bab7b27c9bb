"""The language server: thin handlers over the core, and the only place that knows pygls.

``boot`` answers ``initialize`` before pygls is imported; ``protocol`` and ``server`` fit pygls
to the needs of the product; every other file is one feature.
"""
