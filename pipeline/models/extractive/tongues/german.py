"""Owns what the extractor knows of German."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue

_DONE = (
    "hinzugefügt|entfernt|behoben|gefixt|repariert|geändert|aktualisiert|umbenannt|erstellt|angelegt|gelöscht|"
    "verschoben|ersetzt|umgesetzt|implementiert|eingebaut|umgestellt|vereinfacht|ergänzt|erweitert|korrigiert|"
    "angepasst|zusammengeführt|ausgelagert|eingeführt|abgeschaltet|deaktiviert|aktiviert|dokumentiert|gemessen|"
    "getestet|geprüft|veröffentlicht|migriert|überarbeitet|beseitigt|gelöst|festgelegt|eingerichtet"
)

GERMAN = Tongue(
    code="de",
    function_words=frozenset(
        "aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da "
        "dabei dadurch dafür dagegen damit danach dann daran darauf daraus darin darum das dass davon dazu dein deine "
        "dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem "
        "einen einer eines einige er erst es etwa etwas euch euer für gar gegen gibt hab habe haben hat hatte hatten "
        "hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jetzt "
        "kann kannst kein keine keinem keinen keiner können könnte könnten machen man mehr mein meine mich mir mit muss "
        "müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seit sich sie sind so solche soll "
        "sollen sollte sollten sondern sonst über um und uns unser unsere unter vom von vor wann war waren warum was weil "
        "welche welchem welchen welcher welches wenn wer werden wie wieder will wir wird wirst wo wollen worden wurde "
        "wurden würde würden zu zum zur zwar zwischen bitte mal nein".split()
    ),
    hollow=frozenset(
        "problem fehler ursache grund lösung änderung änderungen datei dateien funktion code test tests sache ding teil "
        "schritt schritte ergebnis ergebnisse frage antwort beispiel fall fälle punkt stelle version aufgabe name wert "
        "zeile liste zweig sitzung".split()
    ),
    starts_dropped=(
        r"(?:ja|nein|ok|okay|gut|super|perfekt|prima|genau|richtig|stimmt|klar|alles klar|fertig|erledigt|danke|also|"
        r"gefunden|gute frage|guter punkt|du hast recht|sie haben recht|kurz gesagt|übrigens|hinweis|wichtig)"
        r"(?:[.,!:;]+\s*|\s[–—-]+\s+)",
        rf"(?:ich|wir) (?:habe|haben)(?: jetzt| nun| auch)*\s+(?=.{{3,120}}\b(?:{_DONE})\b)",
    ),
    starts_chatter=(
        r"(?:hallo|hi|guten (?:morgen|tag|abend)|moin|servus|grüß gott|willkommen)\b",
        r"(?:danke|vielen dank|gern geschehen|bitte sehr|entschuldigung|sorry|tut mir leid|verzeihung|mein fehler)\b",
        r"(?:lass(?:en sie)? (?:mich|uns)|schauen wir|sehen wir|mal sehen|ich (?:schaue|sehe|prüfe|werde|muss|will|möchte|"
        r"suche|lese|starte|führe|beginne|mache|kümmere|denke|glaube|verstehe)|(?:jetzt|nun|dann|als nächstes|zunächst|"
        r"zuerst) (?:schaue|sehe|prüfe|werde|muss|führe|lese|suche|starte|mache|passe|füge|kommt|noch))\b",
        r"(?:soll ich|möchtest du|möchten sie|willst du|wollen sie|sag bescheid|lass mich wissen)\b",
        r"(?:hier (?:ist|sind)|im folgenden|siehe (?:oben|unten))\b",
        r"(?:sieht gut aus|klingt gut|alles (?:klar|gut|fertig|erledigt)|verstanden|moment|einen moment)\b",
    ),
    starts_dangling=(
        r"(?:das|dies|diese[rsmn]?|es|er|sie|sein|ihr|dadurch|damit|daher|deshalb|deswegen|dann|danach|dort|hier|"
        r"außerdem|trotzdem|dennoch|aber|und|oder|sondern|denn|also|sonst|beide|dabei|dafür|jene[rsmn]?|solche|"
        r"ebenso|zusätzlich|allerdings|jedoch)\b",
        r"(?:erstens|zweitens|drittens|schließlich|option|schritt|punkt|variante)\b\s*\d*",
    ),
    starts_request=(
        r"(?:bitte)\b[,:]?\s*",
        r"(?:kannst|könntest|können|könnten|würdest|würden) (?:du|sie|wir|ihr)(?: bitte| mal| auch| noch| uns| mir)*\b\s*",
        r"(?:ich (?:möchte|will|hätte gern|brauche)|wir (?:sollten|müssen|wollen|brauchen|könnten))(?: bitte| auch| noch)*\b\s*",
        r"(?:lass uns|lasst uns)(?: mal| jetzt| bitte)*\b\s*",
        r"(?:und|also|jetzt|dann|nun|noch)\b[,:]?\s+",
    ),
    ends_request=(r"\s+(?:zu|bitte)(?: \w+en)?",),
    starts_question=(
        r"(?:kann|können|soll|sollen|ist|sind|hat|haben|gibt es|wird|werden|muss|müssen|darf)\b",
    ),
    starts_wondering=(
        r"(?:was (?:ist|sind|macht|bedeutet|passiert)|warum|wieso|weshalb|wie (?:funktioniert|geht|kann|wird|werden)|"
        r"wo (?:ist|sind|liegt|steht)|wann|welche[rsmn]?|wer|wozu|wofür)\b",
    ),
    starts_setting=(
        r"(?:wenn|falls|sobald|nachdem|bevor|während|obwohl|weil|da|seit|ohne|mit|bei|beim|in|im|für|um|auf|unter|ab)\b",
    ),
    continues=(
        r"(?:weil|da|damit|sodass|so dass|denn|aber|sondern|statt|anstatt|obwohl|wobei|wodurch|welche[rsmn]?|die|der|"
        r"das|was|und zwar|außer|falls|wenn|ohne|um)\b",
    ),
    starts_done=(
        rf"(?:ich|wir) (?:habe|haben)\b.{{3,120}}\b(?:{_DONE})\b",
        rf"(?:{_DONE})\b(?=[:\s])",
    ),
    starts_result=(
        rf"(?!.*\b(?:weil|dass|wenn|damit|obwohl|nicht)\b).{{3,140}}\b(?:{_DONE})[.!]?$",
        rf".{{3,100}}\b(?:ist jetzt|sind jetzt|ist nun|sind nun|wurde|wurden)\b.{{0,80}}\b(?:{_DONE})\b",
        r".{3,80}\b(?:funktioniert jetzt|läuft jetzt|nutzt jetzt|verwendet jetzt|schreibt jetzt|liest jetzt|gibt jetzt)\b",
    ),
    starts_claim=(
        r"(?:das|der|die) (?:eigentliche |wahre |einzige )?(?:problem|fehler|ursache|grund|lösung|haken|punkt)(?: hier)? "
        r"(?:ist|war|liegt darin|lag darin)(?:,? dass)?\b[:,]?\s*",
        r"(?:ursache|problem|fehler|grund|lösung|entscheidung|regel|hinweis|fazit|ergebnis)\s*[:–—-]\s*",
        r"(?:wir|ich) (?:haben|habe) (?:uns )?(?:entschieden|beschlossen|festgelegt|vereinbart)(?:,? dass|, )?\s*",
        r"(?:beachte|merke|wichtig|es stellte sich heraus|es zeigte sich)(?:,? dass)?\b,?\s*",
    ),
    request=(
        r"\bbitte\b",
        r"\b(?:kannst|könntest|können|könnten|würdest) (?:du|sie|wir|ihr)\b",
        r"\b(?:ich (?:möchte|will|hätte gern)|wir (?:sollten|müssen|wollen|brauchen)|lass uns|lasst uns)\b",
        r"^(?:füge|entferne|ändere|erstelle|prüfe|schreibe|baue|mach|mache|behebe|zeige|erkläre|nenne|teste|lösche|ersetze|"
        r"benenne|verschiebe|ergänze|finde|suche|starte|stelle|schau)\b",
    ),
    decision=(
        r"\b(?:entschieden|beschlossen|entscheidung|vereinbart|festgelegt|geeinigt)\b",
        r"\bwir (?:nehmen|verwenden|nutzen|bleiben bei|setzen auf|verzichten auf)\b",
    ),
    wish=(
        r"\b(?:wir|ich) (?:sollten|wollen|will|möchte|brauchen|brauche) (?:kein|nicht|lieber|nur|stattdessen)",
        r"\b(?:lieber|bevorzuge|stattdessen)\b",
        r"\bsollte(?:n)? (?:nicht|nur|immer|standardmäßig)\b",
        r"\bbrauchen wir nicht\b",
    ),
    contrast=(r"\b(?:statt|anstatt|anstelle|stattdessen|nicht mehr|ersetzt durch|umgestellt auf|wechseln (?:von|zu))\b",),
    preference=(r"\b(?:nur|kein(?:e|en|er)?|nicht|lieber|standardmäßig|bevorzug\w+)\b",),
    rule=(
        r"\b(?:immer|niemals|nie|auf keinen fall|unbedingt|zwingend)\b",
        r"\b(?:darf|dürfen) (?:nicht|nie|nur|kein)",
        r"\b(?:muss|müssen) (?:immer|stets|zuerst|vor|nach|mindestens)\b",
        r"\b(?:jede[rsmn]?|alle) .{2,60}\b(?:muss|müssen|soll|sollen)\b",
    ),
    problem=(
        r"\b(?:fehler|problem|bug|absturz|abgestürzt|stürzt ab|fehlschlag|schlägt fehl|schlug fehl|scheitert|scheiterte|"
        r"kaputt|falsch\w*|fehlt|fehlen|fehlte|verloren|verliert|hängt|blockiert|überschreibt|unerwartet|veraltet)\b",
        r"\b(?:kann|können|konnte|funktioniert|ging|geht|wird|werden|wurde) (?:\w+ )?nicht\b",
    ),
    cause=(
        r"\b(?:weil|wegen|aufgrund|deshalb|deswegen|dadurch|daher|ursache|verursacht|sodass|so dass|führt dazu|lag daran|"
        r"liegt daran)\b",
        r"\bdas (?:problem|ist|war)\b.{0,20}\bdass\b",
        r",\s+da\b",
    ),
    fix=(
        r"\b(?:die )?lösung (?:ist|war)\b",
        r"\b(?:behoben durch|gelöst durch|abhilfe|workaround|lässt sich (?:beheben|vermeiden|umgehen))\b",
    ),
    concept=(
        r"(?<=\s)(?:ist|sind)\s",
        r"(?<=\s)(?:bedeutet|heißt|bezeichnet|enthält|enthalten|speichert|beschreibt|steht für|besteht aus|dient|liefert|"
        r"verwaltet|hält|liest|schreibt|erzeugt|bestimmt|verwendet|nutzt|braucht|erwartet|läuft|gilt)\b",
    ),
    open=(
        r"\b(?:todo|offen|noch nicht|später|nächster schritt|nächste schritte|steht (?:noch )?aus|bleibt (?:noch )?zu|"
        r"muss noch|fehlt noch|unklar|verschoben auf)\b",
    ),
    proposal=(r"\b(?:könnte|könnten|würde|würden|vielleicht|eventuell|vorschlag|alternativ|möglicherweise|option)\b",),
    hedge=(r"\b(?:vielleicht|vermutlich|wahrscheinlich|möglicherweise|eventuell|scheint|scheinbar|anscheinend|unklar)\b",),
    passing_state=(r"\b(?:gerade|momentan|derzeit|bisher|im moment)\b|→|✅|❌",),
    self_reference=(r"\b(?:ich|mir|mich|mein)\b",),
    negation=(r"\b(?:nicht|kein\w*|nie|niemals|ohne)\b",),
    passing=(
        r"(?:alle |die |tests? |laufen |sind |grün|bestanden|durch|fertig|erledigt|und |ist |alles |lint |build |sauber|"
        r"erfolgreich|jetzt |wieder )+$",
    ),
    headings={
        "problem": (r"(?:das )?(?:problem|probleme|fehler|bug|symptome?|auswirkung|was passiert(?: ist)?)",),
        "cause": (r"(?:die )?(?:eigentliche )?(?:ursache|ursachen|fehlerursache)",),
        "why": (r"(?:warum|begründung|grund|gründe|hintergrund|motivation|vorteile)(?: .*)?",),
        "fix": (r"(?:die )?(?:lösung|behebung|abhilfe|fix|korrektur|umgehung)",),
        "result": (
            r"(?:zusammenfassung|änderungen|umgesetzt|erledigt|was (?:wurde|ist|habe ich|haben wir) .*|fertig|"
            r"geänderte dateien|neue dateien|ergänzt|entfernt|behoben)",
        ),
        "outcome": (r"(?:ergebnis|ergebnisse|status|stand|fazit|prüfung|verifikation)",),
        "decision": (r"(?:die )?(?:entscheidung|entscheidungen|beschluss|beschlüsse|entschieden|vereinbart)",),
        "rule": (r"(?:regel|regeln|konvention|konventionen|richtlinie|richtlinien|vorgaben|wichtig)",),
        "concept": (r"(?:überblick|übersicht|begriffe?|architektur|aufbau|wie .* funktioniert|was ist .*|ablauf|verhalten)",),
        "step": (r"(?:schritte|anleitung|vorgehen|ablauf|so geht'?s|nutzung|verwendung|einrichtung|installation)(?: .*)?",),
        "open": (r"(?:offen|offene (?:punkte|fragen)|nächste schritte|noch zu tun|ausstehend|todo)",),
        "proposal": (r"(?:.*\b)?(?:option(?:en)?|vorschlag|vorschläge|empfehlung(?:en)?|alternativen?|plan|idee|ideen)\b.*",),
    },
)
