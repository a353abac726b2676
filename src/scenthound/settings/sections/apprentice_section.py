"""[apprentice]: how links are judged before they are fetched."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import HARMLESS


class ApprenticeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How links are judged before they are fetched, with crawl.order = "apprentice"."""

    kind: Annotated[
        Literal["scent", "bayes"],
        Meta(
            description='"scent": learn weights for many hints around a link. "bayes": the method of the paper of '
            "2002, "
            "naive Bayes on words by their distance from the link."
        ),
    ] = "scent"
    sample: Annotated[
        float,
        Meta(
            ge=0,
            le=0.5,
            description="Part of the fetches chosen at random from all waiting URLs. They measure without bias what "
            "the "
            "apprentice misses.",
        ),
    ] = 0.01
    links: Annotated[
        int,
        Meta(
            ge=10_000,
            description="Most links kept in memory, about 350 bytes each. Beyond that, the least promising are dropped "
            "and keep their last priority.",
        ),
    ] = 500_000
    domain_share: Annotated[
        float,
        Meta(
            gt=0,
            le=1,
            description="Largest part of the fetches that one registered domain gets while others wait, unless more of "
            "your examples come from there. 1 means no limit. It applies to every order except a bayes apprentice.",
        ),
    ] = 0.2
    novelty: Annotated[
        bool,
        Meta(
            description="Let a scent apprentice put URLs behind whose host and folder mostly gave near-duplicates of "
            "pages it has seen."
        ),
    ] = True
    hubs: Annotated[
        bool, Meta(description="Let a scent apprentice learn how much a link from a hub is worth (see distill).")
    ] = False
    lift: Annotated[
        float,
        Meta(
            ge=0,
            description="How much a scent apprentice raises links of the best hub, in log-odds. Links of other hubs "
            "rise in proportion to their scores. 0 turns it off.",
        ),
    ] = 0.0
    before: Annotated[
        str,
        Meta(
            description="What the apprentice has learnt in another crawl: the name of a file in the folder learnt, "
            "without its end. `scenthound new --apprentice` and `scenthound apprentice DIR --take` set it. Empty: only "
            "the weights that ship.",
            extra=HARMLESS,
        ),
    ] = ""
    before_words: Annotated[
        bool,
        Meta(
            description="With apprentice.before: a scent apprentice also knows where words led in the other crawl. For "
            "another topic say false: it then begins with the weights alone."
        ),
    ] = True
    start: Annotated[
        int, Meta(ge=1, description="Number of pages after which a bayes apprentice takes over from best-first.")
    ] = 100
    d_max: Annotated[
        int,
        Meta(
            ge=0, description="Text nodes around a link that a bayes apprentice reads. 0 chooses by cross-validation."
        ),
    ] = 0
    topics: Annotated[
        bool, Meta(description="Let a bayes apprentice also learn from the topics of the page that has the link.")
    ] = False
    cocitation: Annotated[
        bool, Meta(description="Let a bayes apprentice also learn from the results of neighbouring links.")
    ] = False
