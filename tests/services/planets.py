"""Pages to be placed in the canonical topic tree: two English ones about planets, a German one, one about bread, and a
blank.
"""

from scenthound.demo.served_answer import Answer
from tests.services.small_site import HTML

SOLAR = "Science/Astronomy/Solar system"
BREAD = "Home/Food/Desserts, bread and sweets"
PAGES = {
    "/saturn": """<html lang="en"><title>Saturn</title><p>Saturn is a planet of the solar system with rings and many moons.
        Astronomers look at its rings through a telescope. Its largest moon, Titan, has an atmosphere. A spacecraft was in
        orbit around Saturn and flew past its icy moons, their craters and the particles of the rings.</p>""",
    "/moon": """<html lang="en"><title>The Moon</title><p>The moon orbits the earth. Its craters come from impacts of
        asteroids and comets. The dark plains of the moon are of basalt. An eclipse happens when the moon passes through
        the shadow of the earth. Other planets have moons too: Jupiter has dozens that orbit it.</p>""",
    "/mond": """<html lang="de"><title>Der Mond</title><p>Der Mond läuft um die Erde. Seine Krater sind beim Einschlag von
        Asteroiden und Kometen entstanden. Die dunklen Ebenen auf dem Mond sind aus Basalt. Wenn der Mond durch den Schatten
        der Erde geht, ist das eine Finsternis. Auch die anderen Planeten haben Monde: Der Jupiter hat Dutzende davon.</p>""",
    "/bread": """<html lang="en"><title><b>Bread</b> & "cakes"</title><p>Knead the dough with flour, yeast and water. Let the
        dough rise and bake the bread in a hot oven until the crust is brown. A sweet dough with butter, sugar and eggs makes a
        cake, and so do cream and chocolate with a biscuit. Desserts of sugar and cream are served cold.</p>""",
    "/blank": "<html lang='en'><title></title><body></body></html>",
}


def answer(host: str, path: str) -> Answer:
    if path == "/robots.txt":
        return Answer(headers=(("Content-Type", "text/plain"),), body=b"User-agent: *\nDisallow: /private\n")
    if path not in PAGES:
        return Answer(status=404, headers=HTML)
    return Answer(headers=HTML, body=PAGES[path].encode())


def url(path: str) -> str:
    return f"http://planets.example/{path}"
