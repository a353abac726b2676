"""A command with forms, as `topics DIR add …`: the directory comes first."""

from typing import Any

from typer.core import TyperGroup


class Forms(TyperGroup):
    """Its own flags may also come after DIR, as for other commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        flags = {name for param in self.params if getattr(param, "is_flag", False) for name in param.opts}
        end = 1
        while end < len(args) and args[end] in flags:
            end += 1
        return super().parse_args(ctx, [*args[1:end], *args[:1], *args[end:]])
