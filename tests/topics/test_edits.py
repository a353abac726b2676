"""Edits of the taxonomy: what they change, what they say, what they refuse, and what no sequence of them can break."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.errors import TopicsError
from scenthound.taxonomy import Topic, Topics, ancestors
from scenthound.topics import edits
from scenthound.topics.edits import Edit
from scenthound.topics.history import History
from scenthound.topics.topic_names import find_topic, is_path
from scenthound.topics.topics_file import check_tree, load_topics
from scenthound.topics.topics_text import topics_text
from tests.often import often


def topic(path: str, *numbers: int, good: bool = False) -> Topic:
    return Topic(path=path, good=good, examples=tuple(f"https://a.example/{number}" for number in numbers))


SPORT = Topics(
    topics=(
        topic("Sport/Cycling", 1, 2, good=True),
        topic("Sport/Cycling/Touring", 3),
        topic("Sport/Golf", 4),
        topic("Arts", 5),
    )
)


def paths(topics: Topics) -> list[str]:
    return [topic.path for topic in topics.topics]


# -- what edits do and say


def test_adding_an_example_changes_the_lessons_of_all_nodes_above() -> None:
    edit = edits.add_examples(SPORT, "Sport/Cycling/Touring", ["https://a.example/9"])
    assert edit.retrain == {"", "Sport", "Sport/Cycling"}
    assert edit.says == (
        '"Sport/Cycling/Touring" has 1 more example; the critic must learn again, also to tell apart what is below '
        '"Sport" and "Sport/Cycling".'
    )


def test_moving_a_topic_leaves_the_nodes_above_both_places_alone() -> None:
    edit = edits.move_topic(SPORT, "Sport/Cycling/Touring", "Sport/Golf")
    assert paths(edit.topics) == ["Sport/Cycling", "Sport/Golf/Touring", "Sport/Golf", "Arts"]
    assert edit.retrain == {"Sport", "Sport/Golf"}
    assert edit.renamed == (("Sport/Cycling/Touring", "Sport/Golf/Touring"),)


def test_moving_examples_between_siblings_is_learnt_by_their_parent_only() -> None:
    edit = edits.move_examples(
        SPORT, "Sport/Cycling", "Sport/Golf", ["http://a.example/../2".replace("http:", "https:")]
    )
    assert edit.retrain == {"Sport", "Sport/Cycling"}
    assert edit.topics.find("Sport/Golf") == topic("Sport/Golf", 4, 2)


@pytest.mark.parametrize(
    "edit",
    [
        lambda: edits.rename_topic(SPORT, "Sport", "Games"),
        lambda: edits.rename_topic(SPORT, "Sport/Golf", "Minigolf"),
        lambda: edits.mark_good(SPORT, "Arts"),
        lambda: edits.unmark(SPORT, "Sport/Cycling"),
        lambda: edits.add_topic(SPORT, "Sport/Rowing"),
    ],
)
def test_names_marks_and_empty_topics_need_no_training(edit: Callable[[], Edit]) -> None:
    assert edit().retrain == frozenset()
    assert "nothing has to be learnt again" in edit().says


def test_two_topics_that_swap_their_examples_are_learnt_anew() -> None:
    two = Topics(topics=(topic("A", 1), topic("B", 2)))
    there = edits.move_examples(two, "A", "B", ["https://a.example/1"]).topics
    back = edits.move_examples(there, "B", "A", ["https://a.example/2"])
    assert back.retrain == {""}


def test_what_is_below_follows_and_path_topics_with_it() -> None:
    moved = edits.move_topic(SPORT, "Sport/Cycling", "Arts").topics
    assert paths(moved)[:2] == ["Arts/Cycling", "Arts/Cycling/Touring"]
    assert (moved.is_path("Arts"), moved.is_path("Sport")) == (True, False)
    top = edits.move_topic(SPORT, "Sport/Cycling", "").topics
    assert paths(top)[:2] == ["Cycling", "Cycling/Touring"]


def test_a_topic_that_is_only_implied_can_be_marked_and_given_examples() -> None:
    unmarked = edits.unmark(SPORT, "Sport/Cycling").topics
    assert edits.mark_good(unmarked, "Sport").topics.is_good("Sport/Golf")
    assert edits.add_examples(SPORT, "Sport", ["https://a.example/9"]).topics.find("Sport") == topic("Sport", 9)


def test_widening_takes_the_marks_of_what_is_below_into_one() -> None:
    edit = edits.mark_good(SPORT, "Sport", widen=True)
    assert [topic.path for topic in edit.topics.good] == ["Sport"]
    assert edit.says == '"Sport" is good now, with "Sport/Cycling" in it; nothing has to be learnt again.'
    assert not edit.retrain


def test_removing_takes_everything_below_and_says_so() -> None:
    edit = edits.remove_topic(SPORT, "Sport")
    assert paths(edit.topics) == ["Arts"]
    assert edit.says.startswith('"Sport" was removed with "Sport/Cycling", "Sport/Cycling/Touring" and "Sport/Golf"')
    assert edit.says.endswith("No topic is good now: mark one before you crawl.")


# -- what they refuse

REFUSED: list[tuple[Callable[[], Edit], str]] = [
    (
        lambda: edits.mark_good(SPORT, "Sport"),
        '"Sport/Cycling" below "Sport" is good; to widen: scenthound topics DIR mark PATH --widen',
    ),
    (lambda: edits.mark_good(SPORT, "Sport/Cycling/Touring"), '"Sport/Cycling" above it is already good'),
    (lambda: edits.mark_good(SPORT, "Sport/Cycling"), "is already good"),
    (lambda: edits.unmark(SPORT, "Arts"), '"Arts" is not marked good'),
    (
        lambda: edits.unmark(SPORT, "Sport/Cycling/Touring"),
        'it counts as good because of "Sport/Cycling" above it',
    ),
    (lambda: edits.add_topic(SPORT, "Sport/Cycling/Race", good=True), '"Sport/Cycling" above it is already good'),
    (lambda: edits.add_topic(SPORT, "Arts"), '"Arts" already exists'),
    (lambda: edits.add_topic(SPORT, "A//B"), "is not a path"),
    (lambda: edits.rename_topic(SPORT, "Arts", "Sport"), '"Sport" already exists'),
    (lambda: edits.rename_topic(SPORT, "Arts", "A/B"), "cannot be the name of a topic"),
    (lambda: edits.move_topic(SPORT, "Sport", "Sport/Golf"), "cannot be below itself"),
    (lambda: edits.move_topic(SPORT, "Arts", "News"), 'there is no topic "News"; add it first'),
    (lambda: edits.remove_topic(Topics(topics=(topic("A"),)), "A"), "is the only topic"),
    (lambda: edits.remove_topic(SPORT, "News"), 'there is no topic "News"'),
    (lambda: edits.add_examples(SPORT, "Arts", ["HTTPS://A.example:443/5"]), "already"),
    (lambda: edits.drop_examples(SPORT, "Arts", ["https://a.example/6"]), 'is not an example of "Arts"'),
]


@pytest.mark.parametrize(("edit", "message"), REFUSED)
def test_a_refusal_says_the_way_out_in_one_line(edit: Callable[[], Edit], message: str) -> None:
    with pytest.raises(TopicsError) as caught:
        edit()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_good_topic_cannot_be_moved_below_another() -> None:
    two = edits.mark_good(SPORT, "Arts").topics
    with pytest.raises(TopicsError, match='"Arts" is good and would be below "Sport/Cycling"'):
        edits.move_topic(two, "Arts", "Sport/Cycling/Touring")


# -- finding what was meant


@pytest.mark.parametrize("typed", ["Sport/Cycling", "Cycling", "cycling", "/Sport/Cycling/", "sport/cycling"])
def test_the_end_of_a_path_is_enough(typed: str) -> None:
    assert find_topic(SPORT, typed) == "Sport/Cycling"


def test_what_is_unclear_or_mistyped_is_answered_with_what_there_is() -> None:
    both = edits.add_topic(SPORT, "Arts/Golf").topics
    with pytest.raises(TopicsError, match='"golf" is ambiguous: "Sport/Golf" and "Arts/Golf"; write the whole path'):
        find_topic(both, "golf")
    with pytest.raises(TopicsError, match='there is no topic "Cyclign"; did you mean "Sport/Cycling"'):
        find_topic(SPORT, "Cyclign")


# -- what holds whatever is done

names = st.sampled_from(["A", "B", "C", "a b"])
some_path = st.lists(names, min_size=1, max_size=3).map("/".join)
some_examples = st.lists(st.integers(1, 6).map(lambda number: f"https://a.example/{number}"), min_size=1, max_size=3)
Command = Callable[[Topics], Edit]
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(
        lambda path, good, found: lambda topics: edits.add_topic(topics, path, good=good, examples=found),
        some_path,
        st.booleans(),
        some_examples,
    ),
    st.builds(lambda path: lambda topics: edits.remove_topic(topics, path), some_path),
    st.builds(lambda path, name: lambda topics: edits.rename_topic(topics, path, name), some_path, names),
    st.builds(lambda path, to: lambda topics: edits.move_topic(topics, path, to), some_path, some_path | st.just("")),
    st.builds(lambda path: lambda topics: edits.mark_good(topics, path), some_path),
    st.builds(lambda path: lambda topics: edits.unmark(topics, path), some_path),
    st.builds(lambda path: lambda topics: edits.mark_lead(topics, path), some_path),
    st.builds(lambda path, found: lambda topics: edits.add_examples(topics, path, found), some_path, some_examples),
    st.builds(lambda path, found: lambda topics: edits.drop_examples(topics, path, found), some_path, some_examples),
    st.builds(
        lambda path, to, found: lambda topics: edits.move_examples(topics, path, to, found),
        some_path,
        some_path,
        some_examples,
    ),
)  # fmt: skip
START = Topics(topics=(topic("A/B", 1, 2, good=True), topic("A/C", 3), topic("B", 4)))


def all_done(start: Topics, todo: Sequence[Command]) -> list[Edit]:
    """Do what is not refused."""
    done: list[Edit] = []
    for command in todo:
        try:
            done.append(command(done[-1].topics if done else start))
        except TopicsError:
            continue
    return done


@given(st.lists(commands, max_size=12))
def test_no_sequence_of_edits_breaks_the_tree(todo: list[Command]) -> None:
    for edit in all_done(START, todo):
        topics = edit.topics
        check_tree(topics)
        assert topics.topics
        assert all(is_path(path) for path in topics.nodes)
        assert {node for node in topics.nodes if topics.is_path(node)} == {
            above for good in topics.good for above in ancestors(good.path)
        }
        assert edit.retrain <= {"", *topics.nodes}
        assert edit.says.endswith((".", "crawl."))


def classes_at(topics: Topics, node: str) -> dict[str, frozenset[str]]:
    """Return what a critic chooses from at a node: the node itself and its children, as far as they have examples."""
    own = topics.find(node)
    found = {child: [e for topic in topics.below(child) for e in topic.examples] for child in topics.children(node)}
    found[node] = list(own.examples) if own else []
    return {path: frozenset(examples) for path, examples in found.items() if examples}


@given(st.lists(commands, max_size=8))
def test_a_node_is_learnt_anew_if_and_only_if_its_classes_have_other_examples(todo: list[Command]) -> None:
    before = START
    for edit in all_done(START, todo):
        new_name = dict(edit.renamed)
        was = {new_name.get(node, node): classes_at(before, node) for node in ("", *before.nodes)}
        for node in ("", *edit.topics.nodes):
            now = classes_at(edit.topics, node)
            then = {new_name.get(path, path): examples for path, examples in was.get(node, {}).items()}
            undecided = len(now) > 1 or (now and not node)
            assert (node in edit.retrain) == bool(undecided and now != then), node
        before = edit.topics


@often(30)
@given(st.lists(commands, max_size=8))
def test_what_is_written_is_what_was_meant_and_undo_goes_all_the_way_back(todo: list[Command]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "topics.toml"
        file.write_text(topics_text(START), encoding="utf-8")
        texts = [file.read_text()]
        history = History(file=file)
        for command in todo:
            try:
                with history.changing() as topics:
                    edit = command(topics)
                    history.write(edit)
            except TopicsError:
                continue
            assert load_topics(file) == edit.topics
            texts.append(file.read_text())
        for text in reversed(texts[:-1]):
            history.undo()
            assert file.read_text() == text
        with pytest.raises(TopicsError, match="nothing to undo"):
            history.undo()


def test_what_is_undone_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "topics.toml"
    file.write_text(topics_text(START), encoding="utf-8")
    history = History(file=file)
    with history.changing() as topics:
        kept = history.write(edits.mark_good(topics, "B"))
    assert kept == tmp_path / "history" / "topics-000001.toml"
    by_hand = file.read_text() + "# by hand\n"
    file.write_text(by_hand)
    assert history.undo().read_text() == by_hand
    assert load_topics(file) == START


# -- leads: followed, not collected


def test_a_lead_may_stand_above_good_topics_and_is_not_good() -> None:
    done = edits.mark_lead(SPORT, "Sport")
    assert done.topics.is_lead("Sport/Golf")
    assert not done.topics.is_lead("Sport/Cycling/Touring")  # good wins
    assert "its links are followed and its pages are not collected" in done.says
    assert done.retrain == frozenset()
    assert edits.unmark(done.topics, "Sport").topics.leads == ()


def test_a_good_topic_becomes_a_lead_and_back() -> None:
    lead = edits.mark_lead(SPORT, "Sport/Cycling")
    assert lead.topics.good == ()
    assert "No topic is good now" in lead.says
    again = edits.mark_good(lead.topics, "Sport/Cycling").topics
    assert (again.leads, [one.path for one in again.good]) == ((), ["Sport/Cycling"])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("Sport/Cycling/Touring", 'is already good because of "Sport/Cycling" above it'),
        ("Sport/Golf", 'is already a lead because of "Sport" above it'),
        ("Sport", '"Sport" is already a lead'),
        ("Golf", 'there is no topic "Golf"'),
    ],
)
def test_a_lead_that_would_change_nothing_is_refused(path: str, message: str) -> None:
    topics = edits.mark_lead(SPORT, "Sport").topics
    with pytest.raises(TopicsError) as caught:
        edits.mark_lead(topics, path)
    assert message in str(caught.value)
