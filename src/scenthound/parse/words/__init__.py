"""Words: tokens, stems, stop words, languages, fingerprints, and the terms that critics and apprentices read.

Imports: `types` and the rest of `parse`; tables are cached per process.
"""
