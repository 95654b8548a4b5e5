"""Owns the turns of phrase that say how a sentence is meant: as a change, as history, as an example, as a doubt.

English, German, French, Spanish, Portuguese, Russian, Chinese and Japanese. Knows no value and no subject.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_DAY = (
    r"(?:\d|yesterday|today|last|this|the (?:november|release|upgrade|move|switch|audit|migration|incident|weekend)"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|v\d)"
)

CHANGE = _any(
    r"\b(?:instead of|rather than|no longer|not any ?more|any ?more|in place of|from now on|as of now|used to be)\b",
    r"(?<!for )(?<!right )(?<!until )\bnow\b",
    r"(?<!\bare )(?<!\bis )(?<!\bbe )\b(?:switched|moved|migrated|replaced|bumped|raised|lowered|changed|updated"
    r"|upgraded"
    r"|downgraded|increased|decreased|reduced|renamed|extended|shortened|shifted|postponed|flipped|doubled|halved"
    r"|tripled"
    r"|reverted|tightened|relaxed|swapped|converted|rewr[io]te|rewritten|relocated|transferred|dropped|removed|adjusted"
    r"|delayed|scaled|cut)\b",
    r"(?<!\bare )(?<!\bis )(?<!\bbe )\b(?:moved|switched|turned|shut) (?:\w+ ){0,3}(?:on|off)\b|\bturned out\b"
    r"|\bwent (?:from|up|down)\b|\bup from\b",
    r"\b(?:we|i|they|kim|dana|ops|has been|have been|was|were|got) (?:have |has |just |also )?(?:en|dis|de)(?:abled"
    r"|activated)\b",
    r"\b(?:en|dis)abled (?:it|the|this|that)\b|\bha(?:s|ve|d) been made\b|\bis gone\b|\bare gone\b|\bend of life\b",
    r"\b(?:replaces|supersedes|took over|takes over|takes the place)\b|\bmv [\w./~-]",
    r"(?:\A|[.;:!?]\s)(?:en|dis|de)(?:abled|activated) (?!by\b)",
    r"\b(?:move|switch|migration|upgrade|change)\b[^.;!?]{0,60}\bfrom\b[^.;!?]{0,60}\bto\b",
    r"\b(?:actually|correction|in fact|retired|deprecated|superseded|obsolete|formerly|previously|the old one|typo)\b",
    r"\b(?:switch(?:ing)?|mov(?:e|ing)|migrat(?:ing|ion)|(?:up|down)grad(?:e|ing)|updat(?:e|ing)|chang(?:e|ing)) to\b",
    r"\bthe new (?:port|value|limit|default|time-?out|version|number|size|path|url|address|date|time|name|rate"
    r"|setting)\b",
    r"\b(?:switching|changing|moving|migrating) (?:the|our|all)\b",
    r"\b(?:i|we|they|dana|kim) (?:have |just |then )?set\b|→|->|⇒|=>",
    rf"\bsince {_DAY}",
    rf"\bfrom (?!\d){_DAY}\w*(?: \w+)? on(?:wards?)?\b",
    r"\b(?:umgestellt|geändert|nicht mehr|statt|anstatt|anstelle|jetzt|nun|neuerdings|ersetzt|gewechselt|umgezogen"
    r"|verschoben|erhöht|gesenkt|angehoben|reduziert|aktualisiert|abgeschaltet|eingeschaltet|ausgeschaltet|ab sofort"
    r"|bisher|migriert|umbenannt|tatsächlich|verlängert|verkürzt|umgeschrieben|künftig|abgelöst)\b"
    r"|\b(?:haben?|wurden?)\b[^.;!?]{0,60}\b(?:de)?aktiviert\b"
    r"|\b(?:umzug|umstieg|umstellung|wechsel|migration)\b[^.;!?]{0,60}\b(?:auf|zu|nach)\b"
    r"|\bseit (?:dem|gestern"
    r"|heute|\d)",
    r"\b(?:maintenant|désormais|dorénavant|au lieu d|à la place|passée? (?:de|à)|remplacée?s?|remplaçons|migrée?s?"
    r"|changée?s?"
    r"|modifiée?s?|déplacée?s?|augmentée?s?|réduite?s?|relevée?s?|abaissée?s?|mise?s? à jour|renommée?s?|en fait"
    r"|finalement"
    r"|basculée?s?|(?:avons|ont|a|ai|été) (?:dés)?activée?s?)\b"
    r"|\b(?:passage|migration|bascule)\b[^.;!?]{0,60}\b(?:à|vers)\b|\b(?:ne |n['’])\w+ plus\b|\bdepuis (?:le|hier|\d)",
    r"\b(?:ahora|ya no|en lugar de|en vez de|en realidad|desde (?:ayer|hoy|el \d)|pas(?:amos|ó|aron) de|(?:cambi"
    r"|reemplaz"
    r"|sustitu[iy]|migr|actualiz|renombr|aument|baj)(?:amos|imos|ó|aron|ado|ada|ido|ida)|movimos|movido|mudó|subimos"
    r"|subió|reduj\w+|(?:des)?(?:activ|habilit)(?:amos|ó|aron))\b"
    r"|\b(?:cambio|migración|paso)\b[^.;!?]{0,60}\ba\b",
    r"\b(?:agora|já não|em vez de|no lugar de|na verdade|desde ontem|mudança|passou|reduzi\w*"
    r"|(?:des)?(?:ativ|habilit)(?:amos|ou|aram)|(?:mud|troc|migr"
    r"|aument|atualiz"
    r"|renome|substitu)(?:amos|emos|imos|ou|iu|ado|ada|ído|ída))\b",
    r"\b(?:теперь|больше не|вместо|перешли|перен[её]с|перевели|обновил|заменил|сменил|измен[ие]|подняли|снизили|увелич"
    r"|уменьш|отключили|включили|выключили|раньше|переименова)\w*"
    r"|\b(?:переход|переезд|миграция)\b[^.;!?]{0,60}\b(?:на|в)\b",
    r"改为|改成|改用|换成|换为|变为|变成|升级|降级|迁移|不再|替换|更新|现在|如今|已改|调整|移至|停用|取消|(?:启用|开启|关闭)了|从.{1,20}到",
    r"変更|切り替え|移行|置き換え|代わり|現在は|今は|もう|廃止|引き上げ|引き下げ|やめ|ではなく|になった|となった|改め|更新した|[有無]効にした",
)
"""Says that something is not as it was."""

WAS = _any(
    r"\b(?:was|were|had been|used to|before|earlier|old|war|waren|bisher|vorher|früher|était|étaient|avant|era|eran"
    r"|antes)\b",
    r"\b(?:было?|была|были|раньше|прежде)\b|以前|之前|原来|だった",
)
"""Says of a value that it stood before; a change when the new value stands beside it."""

DOUBT = _any(
    r"\b(?:not sure|unsure|unclear|which (?:one )?(?:holds|is right|is correct)|contradict\w*|conflicts? with"
    r"|disagree\w*"
    r"|mismatch\w*|inconsistent|does not match|doesn't match)\b",
    r"\b(?:docs?|documentation|readme|wiki|page|comment)s? (?:still )?(?:says?|claims?|lists?|states?)\b.{0,80}\bbut\b",
    r"\b(?:unklar|widerspr\w+|contredi\w+|pas sûr|contradic\w+|no está claro|não está claro|неясно|противореч\w+)\b"
    r"|矛盾|不确定|不明",
)
"""Says that nobody knows which of two values holds."""

HISTORY = _any(
    r"\b(?:was|were)\s+(?:about |only |at |still )?[\d`$€£]",
    r"\b(?:until|till|previously|formerly|originally|in the past|back then|historically|at first|used to|no longer used"
    r"|before (?:that|then|\d{4}))\b",
    r"\b(?:bis (?:\d|zum|ende)|früher|ehemals|vormals|bisher|jusqu'|auparavant|autrefois|anteriormente|anteriormente"
    r"|até"
    r"|hasta|antiguamente|до \d|раньше|прежде|ранее)",
    r"以前|之前|曾经|原来|かつて|まで(?=[、,]|\d|は)",
)
"""Says that a sentence tells of what no longer holds."""

EXAMPLE = _any(
    r"\b(?:e\.\s?g\.|for example|for instance|such as|z\.\s?B\.|zum Beispiel|par exemple|p\.\s?ex\.|por ejemplo"
    r"|por exemplo)",
    r"\bнапример\b|例如|比如|例えば|たとえば",
)
"""Says that a value is an example."""

HYPOTHETICAL = _any(
    r"\b(?:could|might|maybe|perhaps|would|consider|considering|proposed?|plan(?:s|ning)? to|idea|next year|let's"
    r"|todo)\b",
    r"\b(?:könnte\w*|vielleicht|würde\w*|pourrait|peut-être|podría\w*|quizás?|poderia\w*|talvez|возможно|может быть"
    r"|мог бы)\b",
    r"可能|也许|或许|かもしれない|たぶん|\?\s*\Z|？\s*\Z",
)
"""Says that nobody claims anything."""

CONDITION = _any(
    r"\b(?:if|unless|whenever|when|in case|wenn|falls|sofern|si|quand|lorsque|cuando|se|quando|если|когда)\b",
    r"如果|时候|当.{1,20}时|場合|もし|ときは",
)
"""Makes what a sentence says hold in some cases alone."""

REASON = _any(
    r"[,;]?\s\b(?:because|so that|in order to|due to|thanks to|which is why|weil|damit|denn|parce qu|puisque|porque"
    r"|para que"
    r"|потому|чтобы|так как)\b",
    rf",\s(?:since|as)\s(?!{_DAY})",
    r"因为|由于|ので|ため",
)
"""Begins the part of a sentence that says why."""

PAST_PART = _any(
    r"\b(?:instead of|rather than|in place of|no longer|formerly|previously|and not|but not|not|up from|down from"
    r"|used to be"
    r"|statt|anstatt|anstelle von|nicht mehr|au lieu de|à la place de|en lugar de|en vez de|ya no|em vez de|no lugar de"
    r"|já não|вместо|больше не)\s+(?:on |in |of |to |at |auf |in |de |sur )?$",
    r"(?:\bit |\(|, )(?:was|were)\s+$|不再|而不是$",
    r"\b(?:from|von|vom|de|du|desde|с|со|从)\s*(?:port |version |v)?$",
)
"""Stands right before a value that no longer holds, in a sentence that tells of a change."""

PAST_AFTER = _any(r"^\s*(?:→|->|⇒|=>|ではなく|から|改为|改成|到)")
"""Stands right behind a value that no longer holds."""

ROUGHLY = _any(
    r"\b(?:about|around|approximately|roughly|nearly|almost|some|circa|ca\.|etwa|rund|ungefähr|environ|unos|cerca de"
    r"|около|примерно)\b",
    r"~|≈|大约|约|およそ|約",
)
"""Says that a number is not exact."""

RECORD = _any(
    r"\b(?:took|passed|failed|measured|yesterday's|today's|ran in|finished in|dauerte|dauerten|a pris|tardó|levou)\b"
)
"""Says what was seen once, and not what holds."""

ADDED = _any(
    r"\b(?:also|too|as well|additionally|besides|in addition|likewise|auch|ebenfalls|zusätzlich|aussi|également"
    r"|también|además"
    r"|também|além|также|тоже)\b",
    r"也|还|同时|も|また",
)
"""Says that something holds beside something else."""

NEGATION = re.compile(
    r"\b(?:not(?! (?:only|just|necessarily|exceed|(?:be |take |get )?(?:larger|longer|more|greater|bigger|higher"
    r"|older|later|less|fewer|smaller|shorter)\b))|no(?! (?:later|more|less|fewer|sooner|matter)\b)|never|none"
    r"|nobody|nothing|cannot|can't|won't|neither|without|isn't|aren't|wasn't|don't|doesn't|didn't|hasn't|haven't"
    r"|shouldn't|mustn't|nicht|kein\w{0,2}|niemand|nichts|nie|niemals|ohne|pas|jamais|personne|rien|sans|sin|nunca"
    r"|nadie|ninguém|não|sem|не|нет|никогда|никто|ничего|без)\b"
    r"|\b(?:ne |n['’])\w+ plus\b"
    r"|不再|不|没有|没|未|无法|ない|ません|なし",
    re.IGNORECASE,
)
"""Turns what a sentence says into its opposite."""

AXES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        _any(
            r"\b(?:enabled|activated|active|true|aktiviert|aktiv|eingeschaltet|activée?|actif|activad[oa]"
            r"|habilitad[oa]|ativad[oa]"
            r"|включ[её]н\w*|yes)\b|启用|开启|有効",
            r"\b(?:is|are|be|stays?|mode|turned|switched|defaults to|set to) on\b(?=\s*(?:[.,;)]|\Z|for|in|by|during"
            r"|while|when|"
            r"everywhere|and|but))",
        ),
        _any(
            r"\b(?:disabled|deactivated|inactive|false|off|deaktiviert|inaktiv|abgeschaltet|ausgeschaltet"
            r"|désactivée?|inactif"
            r"|desactivad[oa]|deshabilitad[oa]|desativad[oa]|отключ[её]н\w*|выключ[её]н\w*)\b|禁用|关闭|停用|無効",
        ),
    ),
    (
        _any(
            r"\b(?:required|mandatory|obligatory|compulsory|erforderlich|obligatoire|obligatori[oa]|обязател\w+)\b"
            r"|必须|必須"
        ),
        _any(r"\b(?:optional|voluntary|facultati(?:f|ve)|opcional|необязател\w+)\b|可选|任意"),
    ),
    (
        _any(r"\b(?:allowed|permitted|accepted|erlaubt|autorisée?|permitid[oa]|разреш\w+)\b|允许|許可"),
        _any(
            r"\b(?:forbidden|prohibited|denied|rejected|verboten|interdite?|prohibid[oa]|proibid[oa]|запрещ\w+)\b|禁止"
        ),
    ),
    (
        _any(r"\b(?:public|öffentlich|publique|públic[oa]|открыт\w*)\b|公开|公開"),
        _any(r"\b(?:private|privat|privée?|privad[oa]|закрыт\w*|internal-only)\b|私有|非公開"),
    ),
    (
        _any(r"\b(?:synchronous(?:ly)?|synchron|synchrone)\b"),
        _any(r"\b(?:asynchronous(?:ly)?|async|asynchron|asynchrone)\b"),
    ),
)
"""Pairs of states of which something has one."""
