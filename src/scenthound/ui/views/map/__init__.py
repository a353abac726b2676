"""The Map view: the link graph around pages as a chart with a layout of its own. May import services."""
