"""[critic] and [topics]: how pages are judged, and how an imported web directory is cut down."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import HARMLESS, RUNS_FUNCTION


class CriticSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How pages are judged."""

    kind: Annotated[
        str,
        Meta(
            description='"logistic", "bayes", "svm", "meta", "none", the name of a scikit-learn classifier, or '
            '"module:function": your own function from a page to a number between 0 and 1.',
            extra=RUNS_FUNCTION,
        ),
    ] = "logistic"
    text: Annotated[
        Literal["main", "all"],
        Meta(description='The text that is judged: only the "main" text, or "all", with navigation and footers.'),
    ] = "all"  # better on both labelled webs: `python -m bench critics`
    adapt: Annotated[
        bool,
        Meta(
            description="Adapt the critic to the crawl: ignore text that a site repeats, and correct relevance for how "
            'common the topic is there. Not for "bayes" or a function of your own.'
        ),
    ] = True

    route: Annotated[
        Literal["likeliest", "paper"],
        Meta(
            description='With kind "svm" or "meta": the topic of a page. "likeliest": by probability. "paper": as '
            "BINGO does, down the tree by the surest yes."
        ),
    ] = "likeliest"
    spaces: Annotated[
        list[Literal["terms", "pairs", "anchors", "neighbours", "vectors", "combined"]],
        Meta(
            description='With kind "meta": the feature spaces that vote; none named means all. "terms": single terms. '
            '"pairs": terms close to each other. "anchors": words of links to the page. "neighbours": its terms and '
            'those of pages next to it. "vectors": word vectors. "combined": terms, pairs and anchors together.',
            extra=HARMLESS,
        ),
    ] = []
    decision: Annotated[
        Literal["phase", "unanimous", "majority", "weighted", "best"],
        Meta(
            description='With kind "meta": how the spaces decide. "unanimous": all agree. "majority": more than half '
            'do. "weighted": more than half, each by its estimated precision. "best": only the space with the best '
            'estimate is asked, which is fastest. "phase": unanimous while the crawl learns (crawl.phases), then '
            "weighted, as BINGO does."
        ),
    ] = "phase"


class TopicsSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an imported web directory is cut down (APPRENTICE §3.1)."""

    min_examples: Annotated[int, Meta(ge=1, description="Merge topics with fewer examples into their parent.")] = 10
    max_examples: Annotated[
        int, Meta(ge=0, description="Keep at most this many examples of a topic, chosen at random. 0 means no limit.")
    ] = 300
    max_topics: Annotated[
        int,
        Meta(ge=0, description="Raise min_examples until at most this many topics are left. 0 means no limit."),
    ] = 500
