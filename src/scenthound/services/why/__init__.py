"""Why a URL has its place: its story in words."""
