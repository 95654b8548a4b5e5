"""Owns which words of a sentence tell its subject, and which of them tell one subject from another.

English, German, French, Spanish, Portuguese and Russian by words; Chinese and Japanese by pairs of characters. Knows
no value and no page.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def spelt(text: str) -> frozenset[str]:
    """Give the words of a text that lists them."""
    return frozenset(text.split())


LIGHT = spelt(
    """
    a an the this that these those it its is are was were be been being am has have had having do does did done can
    will would shall should must may we i you they he she our your their his her my us them me there here and or but
    so also too as at by for from in into of on onto to with within over under up down out off via per than then
    thus such each every any all both some only just even still again very quite most more same other another one
    ones own about around approximately roughly nearly almost exactly currently now today yet already always usually
    generally simply use uses used using run runs ran running listen listens listening serve serves served bind
    binds bound set sets setting configure configured live lives lie lies stand stands keep keeps kept hold holds
    held need needs needed require requires required take takes took last lasts amount amounts stay stays remain
    remains come comes become becomes mean means contain contains reach reachable available answer answers expose
    exposed happen happens give gives get gets got make makes made go goes going went put puts let lets work works
    default defaults value equals equal count counts total store stored saved located found placed written write-up
    based allow allowed instead longer rather since ago new newly recent recently before after actually really
    please note that's it's we're not no never none nor neither cannot without yes der die das den dem des ein eine
    einen einem einer eines und oder aber auch nur ist sind war waren wird werden wurde wurden hat haben hatte sein
    seine ihr ihre wir ich sie er es man im auf aus bei mit von vom zu zum zur für über unter nach vor durch um als
    wie sehr noch schon immer jetzt nun nutzt nutzen verwendet verwenden benutzt läuft laufen lauscht lauschen liegt
    liegen beträgt betragen braucht brauchen steht stehen gilt gelten nicht kein keine keinen keiner keines nie mehr
    statt etwa rund genau derzeit aktuell seit bis le la les l un une du de d et ou mais aussi est sont était
    étaient sera ont avait il elle nous vous ils elles je ce cette ces cet son sa ses leur leurs notre nos à au aux
    en dans sur sous par pour avec sans vers chez plus très utilise utilisons utilisent utilisé tourne écoute compte
    dure reste ne n pas jamais maintenant désormais environ actuellement depuis après avant se s qu que qui y el los
    las lo una unos unas o pero también era eran fue está están ha han había hay su sus nuestro nosotros yo ellos
    este esta estos estas al del con por para sin sobre hasta desde usa usamos usan utiliza utilizamos corre escucha
    tiene tienen dura queda nunca ya más muy ahora aproximadamente actualmente os uma uns umas e mas também é são
    eram foi estão tem têm havia há seu sua seus suas nosso nós eu eles ao às aos da dos na nas em com sem até usam
    roda escuta fica não já muito agora atualmente cerca и или но а также это этот эта эти тот та те он она оно они
    мы я вы в во на из с со к ко по за от до для при без над под о об у не нет ни больше уже ещё еще есть был была
    было были будет быть использует используем используют работает слушает занимает имеет теперь сейчас примерно
    около очень все всё наш наша наши его её их
    """
)
"""Function words, and verbs that say no more than that something is so."""

GENERIC = spelt(
    """
    port timeout limit version number size server service api client worker database cache queue job build test page
    file log user request retry replica pool memory cpu connection key name id config configuration setting option
    flag parameter command script tool run time rate interval table row column field list image container pod node
    cluster app application system project package module library process thread host address url path folder
    directory period lifetime month week day hour minute second year deployment environment data state status level
    mode backup upload repository branch code team plan endpoint zeitlimit dienst datenbank größe anzahl grenze
    knoten projekt délai serveur limite taille base projet servidor servicio tamaño límite proyecto serviço tamanho
    projeto сервер сервис размер лимит проект база
    """
)
"""Nouns that many subjects share: alone they do not tell that two pages speak of the same thing."""

QUALIFIERS = spelt(
    """
    staging stage production development dev test testing local locally ci preview sandbox canary live qa demo
    connect read write idle total request response keepalive client server internal external public private frontend
    backend primary secondary replica standby leader follower master slave linux windows macos android ios arm x86
    amd64 arm64 min max minimum maximum minimal maximal lower upper least most soft hard first second third fourth
    last next previous old new inbound outbound incoming outgoing ingress egress source target input output left
    right top bottom front rear hot cold warm free paid starter premium enterprise guest admin anonymous eu us asia
    europe america monday tuesday wednesday thursday friday saturday sunday weekend weekday daily weekly monthly
    yearly hourly nightly today yesterday tomorrow morning evening night peak mobile desktop tablet debug release
    produktion entwicklung lesen schreiben lese schreib verbindung verbindungs erste zweite innen außen lokal intern
    extern développement lecture écriture connexion premier première deuxième interne externe producción pruebas
    desarrollo lectura escritura conexión primero segunda interno externo produção testes desenvolvimento leitura
    escrita conexão primeira продакшн стейджинг чтения записи чтение запись первый второй внутренний внешний
    """
)
"""Words that tell one subject from another like it, wherever they stand."""

HEADS = frozenset(
    {"period", "number", "count", "valu", "level", "sett", "parameter", "option", "flag", "amount", "time"}
)
"""Stems of words that may be left out: a retention period is a retention."""

_SAME = {
    "db": "database",
    "postgres": "postgresql",
    "k8s": "kubernetes",
    "config": "configuration",
    "env": "environment",
    "prod": "production",
    "repo": "repository",
    "dir": "directory",
    "folder": "directory",
    "js": "javascript",
    "ts": "typescript",
    "auth": "authentication",
    "docs": "documentation",
    "app": "application",
    "max": "maximum",
    "min": "minimum",
    "retries": "retry",
}
_ENDINGS = ("ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y")
_SHORTEST_STEM = 3
_LONG = 5
_ALIKE = 0.75
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_NAME_SIGN = re.compile(r"[_\d./\\:@-]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]+")
_UNSPACED_LIGHT = re.compile(
    r"不再|不能|不会|没有|无法|不是|不|没|未|现在|如今|目前|已经|使用|采用|监听|运行|设置|默认|改为|改成|的|了|是|在|有|为|和|与|到|用|个|台|次|"
    r"現在|今|使用|利用|設定|[\u3040-\u309f]+|・"
)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Reduce a word to what its forms share; an identifier stays as it is, but for case."""
    word = unicodedata.normalize("NFC", word).casefold().strip("'’")
    word = _SAME.get(word, word)
    if _NAME_SIGN.search(word):
        return word
    if _CYRILLIC.search(word):
        return word[: max(_LONG - 1, len(word) - 2)]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=100_000)
def alike(one: str, other: str) -> bool:
    """Whether two stems are forms of one word; identifiers have to be equal."""
    if one == other:
        return True
    if _NAME_SIGN.search(one) or _NAME_SIGN.search(other) or one in QUALIFIER_STEMS or other in QUALIFIER_STEMS:
        return False
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _LONG and longer.startswith(shorter) and len(shorter) >= _ALIKE * len(longer)


def unspaced(text: str) -> tuple[str, ...]:
    """Give the pairs of neighbouring characters of text in Chinese or Japanese, without what says little."""
    said = "".join(_UNSPACED_LIGHT.sub("", run) for run in _UNSPACED.findall(text))
    return tuple(said[place : place + 2] for place in range(len(said) - 1)) or ((said,) if said else ())


def is_unspaced(text: str) -> bool:
    """Whether a text holds Chinese or Japanese."""
    return _UNSPACED.search(text) is not None


QUALIFIER_STEMS = frozenset(map(stem, QUALIFIERS))
GENERIC_STEMS = frozenset(map(stem, GENERIC))
