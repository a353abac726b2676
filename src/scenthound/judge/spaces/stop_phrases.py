"""Phrases in the texts of links that say nothing about the page behind them, such as "click here" (BINGO §3.4)."""

from functools import cache
from typing import Final

from scenthound.parse.words.tokens import words_of

# What people write on links to go on, to go back, and to name nothing; a line for each of the languages with stems.
_PHRASES: Final = """
click here, click, here, read more, more, learn more, more info, more information, details, full text, full story, link,
this page, this link, this site, website, web site, web page, page, homepage, home page, home, main page, start, next,
next page, previous, previous page, prev, back, back to top, top, up, index, contents, continue, continue reading, go,
view, view all, see all, see more, show more, download, print, share, email, e mail, comments, comment, reply,
permalink, login, log in, sign in, sign up, register, search, help, contact, contact us, about, about us, imprint,
privacy, privacy policy, terms, sitemap, site map, edit, rss, english, last update, http, https, www
hier, klicken sie hier, mehr, weiterlesen, mehr lesen, mehr erfahren, weiter, zurück, nach oben, startseite, seite,
übersicht, inhalt, drucken, kontakt, impressum, datenschutz, suche, hilfe, anmelden, deutsch, mehr infos
ici, cliquez ici, lire la suite, en savoir plus, suite, suivant, précédent, retour, haut de page, accueil, page
d'accueil, contact, imprimer, recherche, aide, plan du site, mentions légales, français
aquí, haga clic aquí, leer más, más, más información, siguiente, anterior, volver, inicio, página principal, contacto,
imprimir, buscar, ayuda, español
qui, clicca qui, leggi tutto, continua, avanti, indietro, torna su, pagina, cerca, contatti, stampa, italiano
aqui, clique aqui, leia mais, saiba mais, próximo, voltar, página inicial, início, contato, pesquisa, português
klik hier, lees meer, meer, volgende, vorige, terug, zoeken, afdrukken, nederlands
здесь, нажмите здесь, читать далее, подробнее, далее, назад, наверх, главная, контакты, поиск, помощь, русский
"""


def without_stop_phrases(text: str) -> list[str]:
    """Return the words of a link's text without phrases that every link may have, the longest phrases first.

    >>> without_stop_phrases("Click here to see more otters"), without_stop_phrases("Read more »")
    (['to', 'otters'], [])
    """
    words, kept, at = words_of(text), list[str](), 0
    phrases, longest = _phrases()
    while at < len(words):
        size = next((size for size in range(longest, 0, -1) if tuple(words[at : at + size]) in phrases), 0)
        if not size:
            kept.append(words[at])
        at += size or 1
    return kept


@cache
def _phrases() -> tuple[frozenset[tuple[str, ...]], int]:
    found = frozenset(tuple(words_of(phrase)) for phrase in _PHRASES.replace("\n", ",").split(",") if phrase.strip())
    return found, max(map(len, found))
