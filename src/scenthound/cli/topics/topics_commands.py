"""`scenthound topics DIR …`: show and change the topics. The work is in the modules beside this one.

A new form is one more function here. Each returns the exit code and imports its work when it runs.
"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scenthound.cli.shared.forms import Forms
from scenthound.cli.shared.options import Json, Trust, trust_if
from scenthound.errors import UsageError
from scenthound.terminal import say

if TYPE_CHECKING:
    from scenthound.services.topics.topic_edits import Edited

PathOf = Annotated[
    str, typer.Argument(metavar="TOPIC", help="A topic: its path, or the end of its path if that is unique.")
]
TreeOf = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="The crawl directory. - means the built-in canonical topic tree."),
]
Examples = Annotated[list[str], typer.Argument(metavar="EXAMPLE", help="URLs or files.")]


class TopicForms(Forms):
    """`topics find …` needs no DIR: it means `topics - find …`, unless there is a crawl in a folder named find."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        needs_none = args[:1] == ["find"] and not Path("find", "crawl.toml").exists()
        return super().parse_args(ctx, ["-", *args] if needs_none else args)


forms = typer.Typer(
    cls=TopicForms,
    invoke_without_command=True,
    subcommand_metavar="[FORM …]",
    rich_markup_mode=None,
    add_completion=False,
)
example = typer.Typer(rich_markup_mode=None, help="Add, move or remove examples of a topic.")


@forms.callback()
def topics(
    context: typer.Context,
    path: TreeOf,
    as_json: Json = False,
    retrain: Annotated[
        bool,
        typer.Option("--retrain", help="Train the critic on the current topics, and judge all stored pages again."),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --retrain: use the new critic even if it is worse.")
    ] = False,
    trust: Trust = False,
) -> int:
    """Show the topics of a crawl, or change them.

    The tree shows which topics are good, their examples, and how many pages each has.
    """
    context.obj = path
    trust_if(trust, path)
    if context.invoked_subcommand is not None:
        return 0
    if retrain:
        from scenthound.cli.topics.critic_forms import train_again

        return train_again(path, force=force)
    if path == Path("-"):
        from scenthound.cli.topics.canonical_find import show_tree

        return show_tree(as_json=as_json)
    from scenthound.cli.topics.tree import show_topics

    return show_topics(path, as_json=as_json)


@forms.command()
def add(
    context: typer.Context,
    topic: Annotated[
        str, typer.Argument(metavar="PATH", help='The path of the new topic, such as "Recreation/Cycling".')
    ],
    examples: Annotated[
        list[str] | None, typer.Argument(metavar="EXAMPLE", help="URLs or files. Files are copied.")
    ] = None,
    good: Annotated[bool, typer.Option("--good", help="Mark the topic good.")] = False,
    query: Annotated[str, typer.Option("--query", metavar="WORDS", help="Words that serve as an example.")] = "",
) -> int:
    """Add a topic."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).add(topic, examples or [], good=good, query=query))


@forms.command()
def remove(context: typer.Context, topic: PathOf) -> int:
    """Remove a topic with everything below it."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).remove(topic))


@forms.command()
def rename(
    context: typer.Context,
    topic: PathOf,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name, without a path.")],
) -> int:
    """Give a topic another name."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).rename(topic, name))


@forms.command()
def move(
    context: typer.Context,
    topic: PathOf,
    to: Annotated[str, typer.Argument(metavar="PARENT", help="The new parent. / means the top.")],
) -> int:
    """Move a topic with everything below it."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).move(topic, to))


@forms.command()
def mark(
    context: typer.Context,
    topic: PathOf,
    widen: Annotated[bool, typer.Option("--widen", help="Replace the marks of good topics below it.")] = False,
    lead: Annotated[
        bool, typer.Option("--lead", help="Mark it a lead instead: follow its links, do not collect its pages.")
    ] = False,
) -> int:
    """Mark a topic good: you want its pages and those of its subtopics.

    With --lead, the crawl goes through the topic to find good pages, and does not count its pages as good.
    """
    from scenthound.services.topics.topic_edits import Editing

    if lead and widen:
        raise UsageError("--widen is for good topics; a lead may stand above good topics as it is, so leave it out")
    if lead:
        return _told(context, Editing(_directory(context)).mark_lead(topic))
    return _told(context, Editing(_directory(context)).mark(topic, widen=widen))


@forms.command()
def unmark(context: typer.Context, topic: PathOf) -> int:
    """Remove the mark of a good topic or of a lead."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).unmark(topic))


@forms.command()
def quality(context: typer.Context, as_json: Json = False) -> int:
    """Measure how good the critic is, on examples that it has not seen.

    Examples that were never fetched are fetched first.
    """
    from scenthound.cli.topics.critic_forms import show_quality

    return show_quality(_directory(context), as_json=as_json)


@forms.command()
def find(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="URL|FILE", help="Pages that you are interested in.")],
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="K=V", help="Without DIR: a setting for fetching the pages. Can be repeated."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Find the topics of some pages, so that you can mark them good.

    `scenthound topics find URL…` needs no crawl: it uses the built-in canonical topic tree, which is for English. So
    does a crawl that has no critic yet and fewer than two topics with examples.
    """
    path = _directory(context)
    from scenthound.cli.topics.canonical_find import is_asked, show_canonical

    if is_asked(path):
        return show_canonical(path, names, overrides or [], as_json=as_json)
    if overrides:
        raise UsageError(f"--set works only without a crawl; change {path}/crawl.toml instead")
    from scenthound.cli.topics.critic_forms import show_places

    return show_places(path, names, as_json=as_json)


@forms.command()
def around(
    context: typer.Context,
    topic: PathOf,
    fetch: Annotated[
        int, typer.Option("--fetch", min=0, metavar="N", help="Fetch up to N pages that the examples link to.")
    ] = 30,
    as_json: Json = False,
) -> int:
    """Find pages near the examples of a topic that are similar to them."""
    from scenthound.cli.topics.critic_forms import show_alike

    return show_alike(_directory(context), topic, fetch=fetch, as_json=as_json)


@forms.command()
def archetypes(context: typer.Context, as_json: Json = False) -> int:
    """Show the pages that the crawl has added to the examples by itself, and why."""
    from scenthound.cli.topics.tree import show_archetypes

    return show_archetypes(_directory(context), as_json=as_json)


@forms.command()
def undo(context: typer.Context) -> int:
    """Undo the last change of the topics."""
    from scenthound.services.topics.topic_edits import Editing

    done = Editing(_directory(context)).undo()
    say(f"{done.says} The undone version is {done.kept}.")
    return 0


@example.command("add")
def add_examples(context: typer.Context, topic: PathOf, examples: Examples) -> int:
    """Add examples to a topic. Files are copied into the crawl directory."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).add_examples(topic, examples))


@example.command("move")
def move_examples(
    context: typer.Context,
    topic: PathOf,
    to: Annotated[str, typer.Argument(metavar="TOPIC2", help="The topic that gets them.")],
    examples: Examples,
) -> int:
    """Move examples from one topic to another."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).move_examples(topic, to, examples))


@example.command("drop")
def drop_examples(context: typer.Context, topic: PathOf, examples: Examples) -> int:
    """Remove examples from a topic. Copies of files stay."""
    from scenthound.services.topics.topic_edits import Editing

    return _told(context, Editing(_directory(context)).drop_examples(topic, examples))


forms.add_typer(example, name="example")


def _told(context: typer.Context, done: "Edited") -> int:
    """Say what was done, and how to undo it."""
    back = shlex.join(["scenthound", "topics", str(_directory(context)), "undo"])
    say(done.says)
    say(f"The previous version is {done.kept}; to restore it: {back}")
    return 0


def _directory(context: typer.Context) -> Path:
    path = context.find_object(Path)
    assert path is not None  # the callback above has put it there
    return path
