"""Owns what the extractor knows of French."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue

_DONE = (
    "ajouté|supprimé|corrigé|modifié|mis à jour|renommé|créé|déplacé|remplacé|implémenté|réécrit|simplifié|retiré|"
    "désactivé|activé|configuré|documenté|migré|fusionné|extrait|introduit|résolu|réparé|testé|mesuré|publié|vérifié"
)

FRENCH = Tongue(
    code="fr",
    function_words=frozenset(
        "a ai aie ainsi alors as au aucun aussi autre autres aux avait avant avec avoir ayant c ça car ce ceci cela celle "
        "celles celui ces cet cette ceux chaque chez ci comme comment d dans de des deux devrait doit donc dont du elle "
        "elles en encore entre es est et étaient était été être eu eux fait faire faut il ils j je jusqu l la là le les leur leurs lors "
        "lui ma mais même mes moi moins mon n ne ni non nos notre nous on ont ou où par parce pas peu peut peuvent plus "
        "pour pourquoi pouvez qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur "
        "ta te tes toi ton toujours tous tout toute toutes très tu un une vers voici voilà vos votre vous y".split()
    ),
    hollow=frozenset(
        "problème erreur cause raison solution changement changements modification fichier fichiers fonction code test "
        "tests chose partie étape étapes résultat résultats question réponse exemple cas point version tâche nom valeur "
        "ligne liste branche session".split()
    ),
    starts_dropped=(
        r"(?:oui|non|ok|d'accord|bien|parfait|super|exact|exactement|bien sûr|merci|fait|c'est fait|terminé|trouvé|"
        r"bonne question|vous avez raison|tu as raison|en résumé|en bref|au fait|note|remarque|important)"
        r"(?:\s?[.,!:;]+\s*|\s[–—-]+\s+)",
    ),
    starts_chatter=(
        r"(?:bonjour|salut|bonsoir|coucou|bienvenue)\b",
        r"(?:merci|désolée?|pardon|excusez|excuse|je vous en prie|de rien|mes excuses|mon erreur)\b",
        r"(?:je (?:vais|regarde|vérifie|cherche|lis|lance|commence|dois|pense|crois|vois|comprends)|voyons|regardons|"
        r"laisse[z]?[- ]moi|maintenant,? (?:je|voyons|il faut)|ensuite,? je|d'abord,? je|commençons)\b",
        r"(?:veux-tu|voulez-vous|souhaitez-vous|souhaites-tu|dois-je|dites-moi|dis-moi|n'hésitez pas)\b",
        r"(?:voici|voilà|ci-dessous|ci-dessus)\b",
        r"(?:ça marche|c'est bon|tout est (?:bon|prêt)|compris|un instant|un moment)\b",
    ),
    starts_dangling=(
        r"(?:cela|ceci|ça|ce|c'est|cette|cet|ces|il|elle|ils|elles|celui|celle|ceux|donc|alors|ensuite|puis|mais|et|ou|"
        r"car|ainsi|aussi|cependant|toutefois|pourtant|sinon|de plus|en outre|les deux|là|ici|y)\b",
        r"(?:premièrement|deuxièmement|enfin|option|étape|point)\b\s*\d*",
    ),
    starts_request=(
        r"(?:s'il (?:te|vous) plaît|svp|stp)\b[,:]?\s*",
        r"(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|peut-on|pouvons-nous|tu peux|vous pouvez)\b\s*",
        r"(?:je (?:veux|voudrais|souhaite|aimerais)|nous (?:devons|devrions|voulons)|on (?:doit|devrait|va)|il faut(?: que)?)\b\s*",
        r"(?:et|donc|maintenant|alors|aussi|puis)\b[,:]?\s+",
    ),
    starts_question=(r"(?:est-ce|peut-on|y a-t-il|a-t-on|faut-il|doit-on)\b",),
    starts_wondering=(
        r"(?:qu'est-ce|pourquoi|comment|où (?:est|sont|se)|quand|quel(?:le|s|les)?|qui|que (?:fait|signifie|se passe))\b",
    ),
    starts_setting=(
        r"(?:quand|lorsque|lorsqu['’]|si|après|avant|pendant|depuis|comme|dès|sans|avec|dans|en|pour|par|sur|bien que)\b",
    ),
    continues=(
        r"(?:parce qu|car|puisqu|afin|mais|sans|au lieu|plutôt qu|ce qui|qui|dont|alors qu|sauf|même si|et non|pour)",
    ),
    starts_done=(rf"(?:j['’]ai|nous avons|on a)(?: aussi| également)* (?:{_DONE})\b", rf"(?:{_DONE})(?:e?s?)?\b"),
    starts_result=(
        rf".{{3,120}}\b(?:a été|ont été|est maintenant|sont maintenant|est désormais|sont désormais) (?:{_DONE})(?:e?s?)?\b",
        r"(?:ajout|suppression|correction|mise à jour|création|remplacement|renommage|déplacement) (?:de|d['’]|du|des)\b",
        r".{3,80}\b(?:fonctionne (?:maintenant|désormais)|utilise (?:maintenant|désormais))\b",
    ),
    starts_claim=(
        r"(?:le|la) (?:vrai |vraie |seul )?(?:problème|cause|raison|erreur|solution|bug) (?:est|était|vient du fait)"
        r"(?: que| qu['’]| de)?\s*",
        r"(?:cause|problème|erreur|raison|solution|décision|règle|remarque|note|résultat)\s*[:–—-]\s*",
        r"(?:nous avons|on a|j['’]ai) (?:décidé|choisi|convenu)(?: de| d['’]| que| qu['’])?\s*",
        r"(?:notez|attention|il s'avère|rappel)(?: que| qu['’])?,?\s*",
    ),
    request=(
        r"\b(?:s'il (?:te|vous) plaît|svp|stp)\b",
        r"\b(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|peut-on)\b",
        r"\b(?:je (?:veux|voudrais|souhaite|aimerais)|nous (?:devons|devrions)|on (?:doit|devrait)|il faut)\b",
        r"^(?:ajoute|ajoutez|supprime|supprimez|corrige|corrigez|change|changez|crée|créez|vérifie|vérifiez|écris|écrivez|"
        r"fais|faites|montre|montrez|explique|expliquez|remplace|remplacez|renomme|renommez|teste|testez|lance|lancez)\b",
    ),
    decision=(
        r"\b(?:décidé|décision|choisi|retenu|convenu|opté)\b",
        r"\b(?:nous|on) (?:garde|gardons|utilise|utilisons|reste|restons|abandonne|abandonnons)\b",
    ),
    wish=(
        r"\b(?:je|nous|on) (?:préfère|préférons|ne veut pas|ne voulons pas|n'a pas besoin|n'avons pas besoin)",
        r"\b(?:plutôt|de préférence)\b",
        r"\b(?:devrait|devraient|doit|doivent) (?:ne pas|toujours|seulement|rester)\b",
    ),
    contrast=(r"(?:\bau lieu d|\bplutôt qu|\bne .{1,40} plus\b|\bremplacé .{0,40}par\b|\ben remplacement\b|\bà la place\b)",),
    preference=(r"\b(?:seulement|uniquement|jamais|pas|préfér\w+|par défaut)\b",),
    rule=(
        r"\b(?:toujours|jamais|en aucun cas|obligatoire(?:ment)?|interdit|impérativement)\b",
        r"\b(?:ne (?:doit|doivent|faut) (?:pas|jamais)|il ne faut (?:pas|jamais))\b",
        r"\b(?:chaque|tous? les|toutes? les) .{2,60}\b(?:doit|doivent)\b",
    ),
    problem=(
        r"\b(?:erreur|problème|bug|échec|échoue|échoué|plante|planté|cassée?|perdue?|perd|manque|manquante?|incorrecte?|"
        r"inattendue?|bloquée?|fuite|obsolète|écrase)\b",
        r"\bne (?:\w+ ){1,2}(?:pas|plus|jamais)\b|\bn['’]\w+ (?:pas|plus|jamais)\b",
    ),
    cause=(
        r"\b(?:parce que|parce qu['’]|car|à cause d|en raison d|puisque|provoqué|causé|dû à|due à|ce qui (?:provoque|cause|"
        r"entraîne|fait)|la cause|vient du fait|c'est pourquoi)\b",
    ),
    fix=(r"\b(?:la solution (?:est|était)|corrigé en|résolu en|contournement|pour (?:corriger|éviter) (?:cela|ce))\b",),
    concept=(
        r"(?<=\s)(?:est|sont)\s",
        r"(?<=\s)(?:signifie|désigne|contient|contiennent|stocke|représente|décrit|permet|sert à|se compose|correspond à|"
        r"gère|lit|écrit|renvoie|utilise|crée|dépend|s'exécute)\b",
    ),
    open=(r"\b(?:todo|à faire|plus tard|pas encore|reste à|prochaine étape|prochaines étapes|en attente|reporté)\b",),
    proposal=(r"\b(?:pourrait|pourraient|peut-être|éventuellement|proposition|option|alternativement|devrait-on)\b",),
    hedge=(r"\b(?:peut-être|probablement|sans doute|semble|semblent|apparemment|éventuellement)\b",),
    passing_state=(r"\b(?:en cours|pour l'instant|actuellement|en train)\b|→|✅|❌",),
    self_reference=(r"\b(?:je|j['’]ai|moi|me|mon|ma)\b",),
    negation=(r"\b(?:ne|n['’]|pas|jamais|aucune?|sans)\b",),
    passing=(r"(?:tous |toutes |les |tests? |passent|passe|est |sont |tout |prêt|terminé|fait|c'est |bon|et |vert|verts|lint |build )+$",),
    headings={
        "problem": (r"(?:le )?(?:problèmes?|erreurs?|bugs?|symptômes?|ce qui se passe)",),
        "cause": (r"(?:la )?(?:causes?|cause racine|origine)",),
        "why": (r"(?:pourquoi|raisons?|motivation|contexte|justification|avantages)(?: .*)?",),
        "fix": (r"(?:la )?(?:solutions?|correctifs?|correction|contournement)",),
        "result": (r"(?:résumé|changements|modifications|fait|réalisé|ce qui a (?:été )?(?:changé|fait|modifié).*|fichiers modifiés|ajouté|supprimé|corrigé)",),
        "outcome": (r"(?:résultats?|bilan|état|statut|vérification|conclusion)",),
        "decision": (r"(?:la )?(?:décisions?|choix retenu|décidé)",),
        "rule": (r"(?:règles?|conventions?|consignes?|important)",),
        "concept": (r"(?:aperçu|vue d'ensemble|architecture|définitions?|concepts?|fonctionnement|comment .* fonctionne)",),
        "step": (r"(?:étapes|procédure|mode d'emploi|utilisation|installation|comment .*)(?: .*)?",),
        "open": (r"(?:à faire|reste à faire|prochaines étapes|questions ouvertes|en suspens)",),
        "proposal": (r"(?:.*\b)?(?:options?|propositions?|recommandations?|alternatives?|plan|idées?)\b.*",),
    },
)
