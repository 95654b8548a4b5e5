"""Owns what the extractor knows of German."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue, lines, words

GERMAN = Tongue(
    code="de",
    letters="äöüß",
    parts={
        "done": lines(r"""
            hinzugefügt|entfernt|behoben|gefixt|repariert|geändert|aktualisiert|umbenannt|erstellt|angelegt|gelöscht|
            verschoben|ersetzt|umgesetzt|implementiert|eingebaut|umgestellt|vereinfacht|ergänzt|erweitert|korrigiert|
            angepasst|zusammengeführt|ausgelagert|eingeführt|abgeschaltet|deaktiviert|aktiviert|dokumentiert|gemessen|
            getestet|geprüft|veröffentlicht|migriert|überarbeitet|beseitigt|gelöst|festgelegt|eingerichtet
        """),
    },
    function_words=words("""
        aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis
        bist bitte da dabei dadurch dafür dagegen damit danach dann daran darauf daraus darin darum das dass
        davon dazu dein deine dem den denn der deren des dessen die dies diese diesem diesen dieser dieses
        doch dort du durch ein eine einem einen einer eines einige er erst es etwa etwas euch euer für gar
        gegen gibt hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
        immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinem keinen keiner
        können könnte könnten machen mal man mehr mein meine mich mir mit muss müssen nach nein nicht nichts
        noch nun nur ob oder ohne schon sehr sein seine seit sich sie sind so solche soll sollen sollte
        sollten sondern sonst um und uns unser unsere unter vom von vor wann war waren warum was weil welche
        welchem welchen welcher welches wenn wer werden wie wieder will wir wird wirst wo wollen worden wurde
        wurden würde würden zu zum zur zwar zwischen über
    """),
    hollow=words("""
        antwort aufgabe beispiel code datei dateien ding ergebnis ergebnisse fall fehler frage funktion fälle
        grund liste lösung name problem punkt sache schritt schritte sitzung stelle teil test tests ursache
        version wert zeile zweig änderung änderungen
    """),
    starts_dropped=lines(r"""
        (?:ja|nein|ok|okay|gut|super|perfekt|prima|genau|richtig|stimmt|klar|alles klar|fertig|erledigt|danke|also|
        gefunden|gute frage|guter punkt|du hast recht|sie haben recht|kurz gesagt|übrigens|hinweis|
        wichtig)(?:[.,!:;]+\s*|\s[–—-]+\s+)
        (?:ich|wir) (?:habe|haben)(?: jetzt| nun| auch)*\s+(?=.{3,120}\b(?:<done>)\b)
    """),
    starts_chatter=lines(r"""
        (?:hallo|hi|guten (?:morgen|tag|abend)|moin|servus|grüß gott|willkommen)\b
        (?:danke|vielen dank|gern geschehen|bitte sehr|entschuldigung|sorry|tut mir leid|verzeihung|mein fehler)\b
        (?:lass(?:en sie)? (?:mich|uns)|schauen wir|sehen wir|mal sehen|ich (?:schaue|sehe|prüfe|werde|muss|will|
        möchte|suche|lese|starte|führe|beginne|mache|kümmere|denke|glaube|verstehe)|(?:jetzt|nun|dann|als nächstes|
        zunächst|zuerst) (?:schaue|sehe|prüfe|werde|muss|führe|lese|suche|starte|mache|passe|füge|kommt|noch))\b
        (?:soll ich|möchtest du|möchten sie|willst du|wollen sie|sag bescheid|lass mich wissen)\b
        (?:hier (?:ist|sind)|im folgenden|siehe (?:oben|unten))\b
        (?:sieht gut aus|klingt gut|alles (?:klar|gut|fertig|erledigt)|verstanden|moment|einen moment)\b
    """),
    starts_dangling=lines(r"""
        (?:das|dies|diese[rsmn]?|es|er|sie|sein|ihr|dadurch|damit|daher|deshalb|deswegen|dann|danach|dort|hier|
        außerdem|trotzdem|dennoch|aber|und|oder|sondern|denn|also|sonst|beide|dabei|dafür|jene[rsmn]?|solche|ebenso|
        zusätzlich|allerdings|jedoch)\b
        (?:erstens|zweitens|drittens|schließlich|option|schritt|punkt|variante)\b\s*\d*
    """),
    starts_request=lines(r"""
        (?:bitte)\b[,:]?\s*
        (?:kannst|könntest|können|könnten|würdest|würden) (?:du|sie|wir|
        ihr)(?: bitte| mal| auch| noch| uns| mir)*\b\s*
        (?:ich (?:möchte|will|hätte gern|brauche)|wir (?:sollten|müssen|wollen|brauchen|
        könnten))(?: bitte| auch| noch)*\b\s*
        (?:lass uns|lasst uns)(?: mal| jetzt| bitte)*\b\s*
        (?:und|also|jetzt|dann|nun|noch)\b[,:]?\s+
    """),
    starts_chore=lines(r"""
        (?:committe|pushe|antworte|merge|schau|sieh|prüfe nochmal)\b
    """),
    starts_setting=lines(r"""
        (?:wenn|falls|sobald|nachdem|bevor|während|obwohl|weil|da|seit|ohne|mit|bei|beim|in|im|für|um|auf|unter|ab)\b
    """),
    starts_question=lines(r"""
        (?:kann|können|soll|sollen|ist|sind|hat|haben|gibt es|wird|werden|muss|müssen|darf)\b
    """),
    starts_wondering=lines(r"""
        (?:was (?:ist|sind|macht|bedeutet|passiert)|warum|wieso|weshalb|wie (?:funktioniert|geht|kann|wird|werden)|
        wo (?:ist|sind|liegt|steht)|wann|welche[rsmn]?|wer|wozu|wofür)\b
    """),
    starts_result=lines(r"""
        (?!.*\b(?:weil|dass|wenn|damit|obwohl|nicht)\b).{3,140}\b(?:<done>)[.!]?$
        .{3,100}\b(?:ist jetzt|sind jetzt|ist nun|sind nun|wurde|wurden)\b.{0,80}\b(?:<done>)\b
        .{3,80}\b(?:funktioniert jetzt|läuft jetzt|nutzt jetzt|verwendet jetzt|schreibt jetzt|liest jetzt|
        gibt jetzt)\b
    """),
    starts_done=lines(r"""
        (?:ich|wir) (?:habe|haben)\b.{3,120}\b(?:<done>)\b
        (?:<done>)\b(?=[:\s])
    """),
    starts_claim=lines(r"""
        (?:das|der|die) (?:eigentliche |wahre |einzige )?(?:problem|fehler|ursache|grund|lösung|haken|
        punkt)(?: hier)? (?:ist|war|liegt darin|lag darin)(?:,? dass)?\b[:,]?\s*
        (?:ursache|problem|fehler|grund|lösung|entscheidung|regel|hinweis|fazit|ergebnis)\s*[:–—-]\s*
        (?:wir|ich) (?:haben|habe) (?:uns )?(?:entschieden|beschlossen|festgelegt|vereinbart)(?:,? dass|, )?\s*
        (?:beachte|merke|wichtig|es stellte sich heraus|es zeigte sich)(?:,? dass)?\b,?\s*
    """),
    continues=lines(r"""
        (?:weil|da|damit|sodass|so dass|denn|aber|sondern|statt|anstatt|obwohl|wobei|wodurch|welche[rsmn]?|die|der|
        das|was|und zwar|außer|falls|wenn|ohne|um)\b
    """),
    request=lines(r"""
        \bbitte\b
        \b(?:kannst|könntest|können|könnten|würdest) (?:du|sie|wir|ihr)\b
        \b(?:ich (?:möchte|will|hätte gern)|wir (?:sollten|müssen|wollen|brauchen)|lass uns|lasst uns)\b
        ^(?:füge|entferne|ändere|erstelle|prüfe|schreibe|baue|mach|mache|behebe|zeige|erkläre|nenne|teste|lösche|
        ersetze|benenne|verschiebe|ergänze|finde|suche|starte|stelle|schau)\b
    """),
    decision=lines(r"""
        \b(?:entschieden|beschlossen|entscheidung|vereinbart|festgelegt|geeinigt)\b
        \bwir (?:nehmen|verwenden|nutzen|bleiben bei|setzen auf|verzichten auf)\b
    """),
    wish=lines(r"""
        \b(?:wir|ich) (?:sollten|wollen|will|möchte|brauchen|brauche) (?:kein|nicht|lieber|nur|stattdessen)
        \b(?:lieber|bevorzuge|stattdessen)\b
        \bsollte(?:n)? (?:nicht|nur|immer|standardmäßig)\b
        \bbrauchen wir nicht\b
    """),
    contrast=lines(r"""
        \b(?:statt|anstatt|anstelle|stattdessen|nicht mehr|ersetzt durch|umgestellt auf|wechseln (?:von|zu))\b
    """),
    preference=lines(r"""
        \b(?:nur|kein(?:e|en|er)?|nicht|lieber|standardmäßig|bevorzug\w+)\b
    """),
    rule=lines(r"""
        \b(?:immer|niemals|nie|auf keinen fall|unbedingt|zwingend)\b
        \b(?:darf|dürfen) (?:nicht|nie|nur|kein)
        \b(?:muss|müssen) (?:immer|stets|zuerst|vor|nach|mindestens)\b
        \b(?:jede[rsmn]?|alle) .{2,60}\b(?:muss|müssen|soll|sollen)\b
    """),
    problem=lines(r"""
        \b(?:fehler|problem|bug|absturz|abgestürzt|stürzt ab|fehlschlag|schlägt fehl|schlug fehl|scheitert|scheiterte|
        kaputt|falsch\w*|fehlt|fehlen|fehlte|verloren|verliert|hängt|blockiert|überschreibt|unerwartet|veraltet)\b
        \b(?:kann|können|konnte|funktioniert|ging|geht|wird|werden|wurde) (?:\w+ )?nicht\b
    """),
    cause=lines(r"""
        \b(?:weil|wegen|aufgrund|deshalb|deswegen|dadurch|daher|ursache|verursacht|sodass|so dass|führt dazu|
        lag daran|liegt daran)\b
        \bdas (?:problem|ist|war)\b.{0,20}\bdass\b
        ,\s+da\b
    """),
    fix=lines(r"""
        \b(?:die )?lösung (?:ist|war)\b
        \b(?:behoben durch|gelöst durch|abhilfe|workaround|lässt sich (?:beheben|vermeiden|umgehen))\b
    """),
    concept=lines(r"""
        (?<=\s)(?:ist|sind)\s
        (?<=\s)(?:bedeutet|heißt|bezeichnet|enthält|enthalten|speichert|beschreibt|steht für|besteht aus|dient|
        liefert|verwaltet|hält|liest|schreibt|erzeugt|bestimmt|verwendet|nutzt|braucht|erwartet|läuft|gilt)\b
    """),
    open=lines(r"""
        \b(?:todo|offen|noch nicht|später|nächster schritt|nächste schritte|steht (?:noch )?aus|bleibt (?:noch )?zu|
        muss noch|fehlt noch|unklar|verschoben auf)\b
    """),
    proposal=lines(r"""
        \b(?:könnte|könnten|würde|würden|vielleicht|eventuell|vorschlag|alternativ|möglicherweise|option)\b
    """),
    hedge=lines(r"""
        \b(?:vielleicht|vermutlich|wahrscheinlich|möglicherweise|eventuell|scheint|scheinbar|anscheinend|unklar)\b
    """),
    passing_state=lines(r"""
        \b(?:gerade|momentan|derzeit|bisher|im moment)\b|→|✅|❌
    """),
    fleeting=lines(r"""
        ^(?:der|die|das)? ?[\w`' /.-]{2,60} (?:ist|sind)(?: nun| jetzt)? (?:fertig|erledigt|abgeschlossen|bereit)\b
        \bes gibt (?:einen? )?(?:neuen?|weiteren?|weitere)\b
    """),
    bygone=lines(r"""
        \b(?:war|waren|wurde|wurden|hatte|hatten|gab|ging|gingen|blieb|blieben)\b
    """),
    self_reference=lines(r"""
        \b(?:ich|mir|mich|mein)\b
    """),
    passing=lines(r"""
        (?:alle |die |tests? |laufen |sind |grün|bestanden|durch|fertig|erledigt|und |ist |alles |lint |build |sauber|
        erfolgreich|jetzt |wieder )+$
    """),
    starts_speaker=lines(r"""
        (?:ich|wir|du|ihr|sie haben|mein|unser|euer|lass)\b
    """),
    pointers=lines(r"""
        \b(?:dies\w*|es|hier|dort|oben|unten|damit|dadurch|dabei)\b
    """),
    articles=lines(r"""
        (?:der|die|das|ein|eine|jede[rs]?|alle|unsere?)\s+
    """),
    breaks=lines(r"""
        (?:weil|damit|anstatt|obwohl|sodass)\s
    """),
    adjuncts=lines(r"""
        (?:ohne|mit|über|für|auf|in|an|aus|bei|während|durch)\s
    """),
    ends_idle=lines(r"""
        \s+zu \w+en
        \s+(?:nun|jetzt|auch|nur|also)
    """),
    headings={
        "problem": lines(r"""
            (?:das )?(?:problem|probleme|fehler|bug|symptome?|auswirkung|was passiert(?: ist)?)
        """),
        "cause": lines(r"""
            (?:die )?(?:eigentliche )?(?:ursache|ursachen|fehlerursache)
        """),
        "why": lines(r"""
            (?:warum|begründung|grund|gründe|hintergrund|motivation|vorteile)(?: .*)?
        """),
        "fix": lines(r"""
            (?:die )?(?:lösung|behebung|abhilfe|fix|korrektur|umgehung)
        """),
        "result": lines(r"""
            (?:zusammenfassung|änderungen|umgesetzt|erledigt|was (?:wurde|ist|habe ich|haben wir) .*|fertig|
            geänderte dateien|neue dateien|ergänzt|entfernt|behoben)
        """),
        "outcome": lines(r"""
            (?:ergebnis|ergebnisse|status|stand|fazit|prüfung|verifikation)
        """),
        "decision": lines(r"""
            (?:die )?(?:entscheidung|entscheidungen|beschluss|beschlüsse|entschieden|vereinbart)
        """),
        "rule": lines(r"""
            (?:regel|regeln|konvention|konventionen|richtlinie|richtlinien|vorgaben|wichtig)
        """),
        "concept": lines(r"""
            (?:überblick|übersicht|begriffe?|architektur|aufbau|wie .* funktioniert|was ist .*|ablauf|verhalten)
        """),
        "step": lines(r"""
            (?:schritte|anleitung|vorgehen|ablauf|so geht'?s|nutzung|verwendung|einrichtung|installation)(?: .*)?
        """),
        "open": lines(r"""
            (?:offen|offene (?:punkte|fragen)|nächste schritte|noch zu tun|ausstehend|todo)
        """),
        "proposal": lines(r"""
            (?:.*\b)?(?:option(?:en)?|vorschlag|vorschläge|empfehlung(?:en)?|alternativen?|plan|idee|ideen)\b.*
        """),
    },
)
