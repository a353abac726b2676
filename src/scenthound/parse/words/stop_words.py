"""Words of eight languages that say nothing about a topic: articles, pronouns, prepositions, conjunctions, auxiliaries.

The lists are here because those of packages also drop topic words ("microsoft", "group", "mine"). All words are
casefolded. A word with an apostrophe is looked up in parts, so the lists hold only the parts.
"""

from functools import cache
from typing import Final

_ENGLISH: Final = """
a an the this that these those such same other another each every either neither both all any some no none few many much
more most less least several own enough i me my mine myself we us our ours ourselves you your yours yourself
yourselves he
him his himself she her hers herself it its itself they them their theirs themselves one ones who whom whose which what
whoever whatever whichever someone something anyone anything everyone everything nobody nothing and or but nor so yet if
then than because since while whereas although though unless until whether as of at by for with about against between
among into through during before after above below to from up down in out on off over under again further within without
upon toward towards onto via per across along around behind beside besides beyond despite except near like is am are was
were be been being have has had having do does did doing done will would shall should can could may might must ought
cannot ll ve re don ain isn aren wasn weren hasn haven hadn doesn didn couldn wouldn shouldn mustn not only also too
very
just even still ever never always often sometimes already almost quite rather really perhaps however therefore thus
hence
moreover otherwise instead once here there where when why how now
"""
_GERMAN: Final = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines dieser diese dieses
diesen
diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem mancher manche manches manchen manchem welcher welche
welches welchen welchem solcher solche solches solchen solchem alle allem allen aller alles beide beiden einige einigen
einiger viel viele vielen vieler mehr mehrere wenig wenige weniger etwas nichts man jemand niemand ich mich mir mein
meine
meinen meinem meiner meines du dich dir dein deine deinen deinem deiner deines er ihn ihm sein seine seinen seinem
seiner
seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere unseren unserem unserer unseres euch euer eure euren
eurem eurer eures ihnen sich selbst wer wen wem wessen was und oder aber sondern denn doch weil da dass daß ob wenn
als wie
während bis seit nachdem bevor damit obwohl sowie sowohl weder noch entweder zwar je desto in im ins an am ans auf aus
bei
beim mit nach von vom vor zu zum zur über unter um ohne durch für gegen hinter neben zwischen wegen trotz statt
gegenüber
bin bist ist sind seid war warst waren wart sei seien wäre wären gewesen habe hast hat haben habt hatte hatten hätte
hätten
gehabt werde wirst wird werden werdet wurde wurden würde würden worden geworden kann kannst können könnt konnte konnten
könnte könnten muss müssen musste mussten müsste soll sollen sollte sollten will wollen wollte wollten darf dürfen
durfte
dürfte mag mögen mochte möchte möchten nicht nie nur auch schon sehr so dann daher deshalb also dort hier wo wohin woher
wann warum wieso nun jetzt immer wieder noch bereits etwa sogar ganz gar eben dabei dazu davon daran darauf darin dafür
dagegen danach
"""
_FRENCH: Final = """
le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs quel
quelle quels quelles tout toute tous toutes autre autres même mêmes chaque plusieurs quelque quelques aucun aucune nul
tel
telle tels telles certains certaines je me moi tu te toi il elle on nous vous ils elles se soi lui eux en celui celle
ceux
celles ceci cela ça qui que quoi dont où lequel laquelle lesquels lesquelles duquel auquel rien personne et ou mais
donc or
ni car si comme quand lorsque puisque parce afin ainsi alors puis aussi à dans par pour sur sous avec sans entre vers
chez
contre depuis pendant avant après dès jusque jusqu lors selon malgré parmi outre envers est es suis sommes êtes sont
étais
était étions étiez étaient serai seras sera serons serez seront serais serait serions seraient fus fut furent sois soit
soient être été étant ai as avons avez ont avais avait avions aviez avaient aurai aura aurons aurez auront aurais aurait
auraient eu eut eurent ait aient avoir ayant fait faire font peut peuvent pouvait pouvoir doit doivent devait devoir
ne pas
plus moins non oui très trop peu bien encore déjà toujours jamais souvent ici là y tant autant cependant toutefois
pourtant
lorsqu puisqu quoiqu qu aujourd hui
"""
_SPANISH: Final = """
el la los las lo un una unos unas al del este esta estos estas esto ese esa esos esas eso aquel aquella aquellos
aquellas
aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras suyo suya suyos suyas
otro
otra otros otras mismo misma mismos mismas todo toda todos todas cada algún alguno alguna algunos algunas ningún ninguno
ninguna mucho mucha muchos muchas poco poca pocos pocas varios varias tal tales tanto tanta tantos tantas cuyo cuya
cuyos
cuyas yo me mí ti te tú él ella ello nosotros nosotras nos vosotros vosotras os ellos ellas usted ustedes se sí le les
consigo quien quienes quién cual cuales cuál cuáles que qué algo alguien nada nadie y e o u ni pero sino mas aunque
porque
pues si como cómo cuando cuándo donde dónde mientras a ante bajo con contra de desde durante en entre hacia hasta
mediante
para por según sin sobre tras es soy eres somos sois son era eras éramos eran fui fue fuimos fueron será serán sería
serían
sea sean fuera fueran sido siendo ser estoy está estás estamos están estaba estaban estuvo estuvieron esté estén estado
estar he has ha hemos han había habían hubo habrá habría haya hayan haber hay tengo tiene tienen tenía tenían tuvo tener
puede pueden podía podrá poder debe deben hace hacer hacen no ni ya más menos muy también tampoco así aquí ahí allí
luego
entonces siempre nunca sólo solo aún todavía además antes después
"""
_ITALIAN: Final = """
il lo la i gli le un uno una di a da in con su per tra fra del dello della dei degli delle dell al allo alla ai agli
alle
all dal dallo dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col
coi
questo questa questi queste quest quello quella quelli quelle quell quel quei ciò mio mia miei mie tuo tua tuoi tue
suo sua
suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro altro altra altri altre stesso stessa stessi
stesse
tutto tutta tutti tutte ogni ognuno qualche alcuno alcuna alcuni alcune nessuno nessuna molto molta molti molte poco
poca
pochi poche tanto tanta tanti tante tale tali io me mi tu te ti lui lei egli ella esso essa noi ci voi vi essi esse sé
si
ne li chi che cui quale quali cosa qualcosa qualcuno niente nulla e ed o od ma però né anche se perché poiché quando
come
dove mentre sebbene affinché oppure dunque quindi ad verso senza sotto sopra contro dopo prima durante presso entro
oltre è
sono sei siamo siete era ero eri eravamo erano fu fui furono sarà saranno sarebbe sarebbero sia siano fosse fossero
stato
stata stati state essendo essere ho hai ha abbiamo avete hanno aveva avevo avevano ebbe avrà avranno avrebbe abbia
abbiano
avesse avuto avendo avere fa fare fatto fanno può possono poteva deve devono doveva viene vengono non più meno già
ancora
sempre mai solo così qui qua là lì poi ora allora inoltre infatti invece c d l un
"""
_PORTUGUESE: Final = """
o a os as um uma uns umas de do da dos das em no na nos nas num numa nuns numas ao à aos às por pelo pela pelos pelas
com
sem sob sobre entre para pra até desde contra perante após durante segundo conforme este esta estes estas isto esse essa
esses essas isso aquele aquela aqueles aquelas aquilo deste desta destes destas disto desse dessa desses dessas disso
daquele daquela neste nesta nestes nestas nisto nesse nessa nesses nessas nisso naquele naquela meu minha meus minhas
teu
tua teus tuas seu sua seus suas nosso nossa nossos nossas vosso vossa outro outra outros outras mesmo mesma mesmos
mesmas
todo toda todos todas tudo cada algum alguma alguns algumas nenhum nenhuma muito muita muitos muitas pouco pouca poucos
poucas vários várias tal tais tanto tanta tantos tantas quanto cujo cuja cujos cujas eu me mim tu te ti ele ela nós vós
eles elas dele dela deles delas você vocês lhe lhes se si quem qual quais que quê algo alguém nada ninguém e ou mas
porém
nem pois porque porquanto como quando onde enquanto embora caso então logo portanto é sou és somos são era eras éramos
eram
fui foi fomos foram será serão seria seriam seja sejam fosse fossem for sido sendo ser estou está estamos estão estava
estavam esteve esteja estejam estado estar tenho tem têm temos tinha tinham teve tiveram terá teria tenha tenham tido
ter
há havia houve haver hão pode podem podia poder deve devem fazer faz não sim já mais menos muito bem também só apenas
ainda
sempre nunca aqui aí ali lá assim depois antes agora além
"""
_DUTCH: Final = """
de het een deze dit die dat elk elke ieder iedere alle alles al enkele enige sommige veel vele meer meest minder minst
weinig ander andere anderen zelf zelfde geen iets niets iemand niemand ik mij me mijn jij je jou jouw u uw hij hem
zijn zij
ze haar het wij we ons onze jullie hen hun zich elkaar men wie wat welk welke wiens en of maar want noch dus omdat
doordat
zodat terwijl toen als dan hoewel tenzij totdat voordat nadat sinds indien in op aan uit bij met naar van voor over
onder om
tot door tegen tussen zonder achter naast binnen buiten boven beneden langs na per rond tijdens te ter ten ben bent is
was
waren geweest wees heb hebt heeft hebben had hadden gehad word wordt worden werd werden geworden zal zult zullen zou
zouden
kan kunt kunnen kon konden moet moeten moest moesten mag mogen mocht mochten wil wilt willen wilde wilden doet doen deed
niet nooit wel ook nog reeds zeer heel erg te zo er daar hier waar waarom hoe wanneer nu altijd weer steeds toch alleen
slechts eens even ervan erop eraan erin ermee daarom daarvan daarop daarin daarmee waarin waarop waarvan waarmee hierin
"""
_RUSSIAN: Final = """
и в во не что он на я с со как а то все всё она так его но да ты к ко у же вы за бы по только ее её мне было вот от меня
еще ещё нет о об обо из ему теперь когда даже ну ли если уже или ни быть был была были него до вас нибудь вам ведь там
потом себя ничего ей может они тут где есть надо ней для мы тебя их чем сам сама само сами чтоб чтобы без будто чего раз
тоже себе под будет будут ж тогда кто этот эта это эти этого этой этом этому этим этих того той том тому тем тех та те
тот
потому какой какая какое какие какого каких ним здесь один одна одно одни почти мой моя моё мое мои моего моей моих твой
твоя наш наша наше наши нашего нашей наших ваш ваша ваше ваши свой своя своё свое свои своего своей своих своим своими
нее неё сейчас куда зачем всех всем всей всего весь вся никогда можно при наконец два две другой другая другое другие
других хоть после над больше менее более через нас про них ними ними нам нами вами ими им мной тобой собой перед между
лучше чуть также который которая которое которые которого которой котором которым которых которую которыми однако каждый
каждая каждое такой такая такое такие таких таким очень именно пока лишь либо хотя являются является поэтому кроме среди
"""
_BY_LANGUAGE: Final = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "it": _ITALIAN,
    "pt": _PORTUGUESE,
    "nl": _DUTCH,
    "ru": _RUSSIAN,
}


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language; none without a list.

    >>> "whose" in stop_words("en"), "whale" in stop_words("en"), stop_words("xx")
    (True, False, frozenset())
    """
    return frozenset(_BY_LANGUAGE.get(language, "").casefold().split())
