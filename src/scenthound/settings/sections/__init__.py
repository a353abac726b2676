"""The sections of crawl.toml, one class each. `settings.schema` joins them."""
