"""Owns what the extractor knows of French."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue, lines, words

FRENCH = Tongue(
    code="fr",
    letters="èêàœùûç",
    parts={
        "done": lines(r"""
            ajouté|supprimé|corrigé|modifié|mis à jour|renommé|créé|déplacé|remplacé|implémenté|réécrit|simplifié|
            retiré|désactivé|activé|configuré|documenté|migré|fusionné|extrait|introduit|résolu|réparé|testé|mesuré|
            publié|vérifié
        """),
    },
    function_words=words("""
        a ai aie ainsi alors as au aucun aussi autre autres aux avait avant avec avoir ayant c car ce ceci
        cela celle celles celui ces cet cette ceux chaque chez ci comme comment d dans de des deux devrait
        doit donc dont du elle elles en encore entre es est et eu eux faire fait faut il ils j je jusqu l la
        le les leur leurs lors lui là ma mais mes moi moins mon même n ne ni non nos notre nous on ont ou où
        par parce pas peu peut peuvent plus pour pourquoi pouvez qu quand que quel quelle quelles quels qui
        quoi s sa sans se sera ses si son sont sous sur ta te tes toi ton toujours tous tout toute toutes très
        tu un une vers voici voilà vos votre vous y ça étaient était été être
    """),
    hollow=words("""
        branche cas cause changement changements chose code erreur exemple fichier fichiers fonction ligne
        liste modification nom partie point problème question raison réponse résultat résultats session
        solution test tests tâche valeur version étape étapes
    """),
    starts_dropped=lines(r"""
        (?:oui|non|ok|d'accord|bien|parfait|super|exact|exactement|bien sûr|merci|fait|c'est fait|terminé|trouvé|
        bonne question|vous avez raison|tu as raison|en résumé|en bref|au fait|note|remarque|
        important)(?:\s?[.,!:;]+\s*|\s[–—-]+\s+)
    """),
    starts_chatter=lines(r"""
        (?:bonjour|salut|bonsoir|coucou|bienvenue)\b
        (?:merci|désolée?|pardon|excusez|excuse|je vous en prie|de rien|mes excuses|mon erreur)\b
        (?:je (?:vais|regarde|vérifie|cherche|lis|lance|commence|dois|pense|crois|vois|comprends)|voyons|regardons|
        laisse[z]?[- ]moi|maintenant,? (?:je|voyons|il faut)|ensuite,? je|d'abord,? je|commençons)\b
        (?:veux-tu|voulez-vous|souhaitez-vous|souhaites-tu|dois-je|dites-moi|dis-moi|n'hésitez pas)\b
        (?:voici|voilà|ci-dessous|ci-dessus)\b
        (?:ça marche|c'est bon|tout est (?:bon|prêt)|compris|un instant|un moment)\b
    """),
    starts_dangling=lines(r"""
        (?:cela|ceci|ça|ce|c'est|cette|cet|ces|il|elle|ils|elles|celui|celle|ceux|donc|alors|ensuite|puis|mais|et|ou|
        car|ainsi|aussi|cependant|toutefois|pourtant|sinon|de plus|en outre|les deux|là|ici|y)\b
        (?:premièrement|deuxièmement|enfin|option|étape|point)\b\s*\d*
    """),
    starts_request=lines(r"""
        (?:s'il (?:te|vous) plaît|svp|stp)\b[,:]?\s*
        (?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|peut-on|pouvons-nous|tu peux|vous pouvez)\b\s*
        (?:je (?:veux|voudrais|souhaite|aimerais)|nous (?:devons|devrions|voulons)|on (?:doit|devrait|va)|
        il faut(?: que)?)\b\s*
        (?:et|donc|maintenant|alors|aussi|puis)\b[,:]?\s+
    """),
    starts_setting=lines(r"""
        (?:quand|lorsque|lorsqu['’]|si|après|avant|pendant|depuis|comme|dès|sans|avec|dans|en|pour|par|sur|bien que)\b
    """),
    starts_question=lines(r"""
        (?:est-ce|peut-on|y a-t-il|a-t-on|faut-il|doit-on)\b
    """),
    starts_wondering=lines(r"""
        (?:qu'est-ce|pourquoi|comment|où (?:est|sont|se)|quand|quel(?:le|s|les)?|qui|que (?:fait|signifie|se passe))\b
    """),
    starts_result=lines(r"""
        .{3,120}\b(?:a été|ont été|est maintenant|sont maintenant|est désormais|sont désormais) (?:<done>)(?:e?s?)?\b
        (?:ajout|suppression|correction|mise à jour|création|remplacement|renommage|déplacement) (?:de|d['’]|du|des)\b
        .{3,80}\b(?:fonctionne (?:maintenant|désormais)|utilise (?:maintenant|désormais))\b
    """),
    starts_done=lines(r"""
        (?:j['’]ai|nous avons|on a)(?: aussi| également)* (?:<done>)\b
        (?:<done>)(?:e?s?)?\b
    """),
    starts_claim=lines(r"""
        (?:le|la) (?:vrai |vraie |seul )?(?:problème|cause|raison|erreur|solution|bug) (?:est|était|
        vient du fait)(?: que| qu['’]| de)?\s*
        (?:cause|problème|erreur|raison|solution|décision|règle|remarque|note|résultat)\s*[:–—-]\s*
        (?:nous avons|on a|j['’]ai) (?:décidé|choisi|convenu)(?: de| d['’]| que| qu['’])?\s*
        (?:notez|attention|il s'avère|rappel)(?: que| qu['’])?,?\s*
    """),
    continues=lines(r"""
        (?:parce qu|car|puisqu|afin|mais|sans|au lieu|plutôt qu|ce qui|qui|dont|alors qu|sauf|même si|et non|pour)
    """),
    request=lines(r"""
        \b(?:s'il (?:te|vous) plaît|svp|stp)\b
        \b(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|peut-on)\b
        \b(?:je (?:veux|voudrais|souhaite|aimerais)|nous (?:devons|devrions)|on (?:doit|devrait)|il faut)\b
        ^(?:ajoute|ajoutez|supprime|supprimez|corrige|corrigez|change|changez|crée|créez|vérifie|vérifiez|écris|
        écrivez|fais|faites|montre|montrez|explique|expliquez|remplace|remplacez|renomme|renommez|teste|testez|lance|
        lancez)\b
    """),
    decision=lines(r"""
        \b(?:décidé|décision|choisi|retenu|convenu|opté)\b
        \b(?:nous|on) (?:garde|gardons|utilise|utilisons|reste|restons|abandonne|abandonnons)\b
    """),
    wish=lines(r"""
        \b(?:je|nous|on) (?:préfère|préférons|ne veut pas|ne voulons pas|n'a pas besoin|n'avons pas besoin)
        \b(?:plutôt|de préférence)\b
        \b(?:devrait|devraient|doit|doivent) (?:ne pas|toujours|seulement|rester)\b
    """),
    contrast=lines(r"""
        (?:\bau lieu d|\bplutôt qu|\bne .{1,40} plus\b|\bremplacé .{0,40}par\b|\ben remplacement\b|\bà la place\b)
    """),
    preference=lines(r"""
        \b(?:seulement|uniquement|jamais|pas|préfér\w+|par défaut)\b
    """),
    rule=lines(r"""
        \b(?:toujours|jamais|en aucun cas|obligatoire(?:ment)?|interdit|impérativement)\b
        \b(?:ne (?:doit|doivent|faut) (?:pas|jamais)|il ne faut (?:pas|jamais))\b
        \b(?:chaque|tous? les|toutes? les) .{2,60}\b(?:doit|doivent)\b
    """),
    problem=lines(r"""
        \b(?:erreur|problème|bug|échec|échoue|échoué|plante|planté|cassée?|perdue?|perd|manque|manquante?|incorrecte?|
        inattendue?|bloquée?|fuite|obsolète|écrase)\b
        \bne (?:\w+ ){1,2}(?:pas|plus|jamais)\b|\bn['’]\w+ (?:pas|plus|jamais)\b
    """),
    cause=lines(r"""
        \b(?:parce que|parce qu['’]|car|à cause d|en raison d|puisque|provoqué|causé|dû à|due à|ce qui (?:provoque|
        cause|entraîne|fait)|la cause|vient du fait|c'est pourquoi)\b
    """),
    fix=lines(r"""
        \b(?:la solution (?:est|était)|corrigé en|résolu en|contournement|pour (?:corriger|éviter) (?:cela|ce))\b
    """),
    concept=lines(r"""
        (?<=\s)(?:est|sont)\s
        (?<=\s)(?:signifie|désigne|contient|contiennent|stocke|représente|décrit|permet|sert à|se compose|
        correspond à|gère|lit|écrit|renvoie|utilise|crée|dépend|s'exécute)\b
    """),
    open=lines(r"""
        \b(?:todo|à faire|plus tard|pas encore|reste à|prochaine étape|prochaines étapes|en attente|reporté)\b
    """),
    proposal=lines(r"""
        \b(?:pourrait|pourraient|peut-être|éventuellement|proposition|option|alternativement|devrait-on)\b
    """),
    hedge=lines(r"""
        \b(?:peut-être|probablement|sans doute|semble|semblent|apparemment|éventuellement)\b
    """),
    passing_state=lines(r"""
        \b(?:en cours|pour l'instant|actuellement|en train)\b|→|✅|❌
    """),
    self_reference=lines(r"""
        \b(?:je|j['’]ai|moi|me|mon|ma)\b
    """),
    passing=lines(r"""
        (?:tous |toutes |les |tests? |passent|passe|est |sont |tout |prêt|terminé|fait|c'est |bon|et |vert|verts|
        lint |build )+$
    """),
    starts_speaker=lines(r"""
        (?:je|j['’]|nous|on|tu|vous|mon|ma|notre|votre)\b
    """),
    pointers=lines(r"""
        \b(?:ceci|cela|ça|ici|là|ci-dessus|ci-dessous|celui-ci|celle-ci)\b
    """),
    articles=lines(r"""
        (?:les?|la|une?|des|chaque|tous les|toutes les|notre|nos)\s+
        l['’]
    """),
    breaks=lines(r"""
        (?:parce que|puisque|au lieu|afin|car)\s
    """),
    adjuncts=lines(r"""
        (?:sans|avec|pour|dans|sur|depuis|pendant|via)\s
    """),
    headings={
        "problem": lines(r"""
            (?:le )?(?:problèmes?|erreurs?|bugs?|symptômes?|ce qui se passe)
        """),
        "cause": lines(r"""
            (?:la )?(?:causes?|cause racine|origine)
        """),
        "why": lines(r"""
            (?:pourquoi|raisons?|motivation|contexte|justification|avantages)(?: .*)?
        """),
        "fix": lines(r"""
            (?:la )?(?:solutions?|correctifs?|correction|contournement)
        """),
        "result": lines(r"""
            (?:résumé|changements|modifications|fait|réalisé|ce qui a (?:été )?(?:changé|fait|modifié).*|
            fichiers modifiés|ajouté|supprimé|corrigé)
        """),
        "outcome": lines(r"""
            (?:résultats?|bilan|état|statut|vérification|conclusion)
        """),
        "decision": lines(r"""
            (?:la )?(?:décisions?|choix retenu|décidé)
        """),
        "rule": lines(r"""
            (?:règles?|conventions?|consignes?|important)
        """),
        "concept": lines(r"""
            (?:aperçu|vue d'ensemble|architecture|définitions?|concepts?|fonctionnement|comment .* fonctionne)
        """),
        "step": lines(r"""
            (?:étapes|procédure|mode d'emploi|utilisation|installation|comment .*)(?: .*)?
        """),
        "open": lines(r"""
            (?:à faire|reste à faire|prochaines étapes|questions ouvertes|en suspens)
        """),
        "proposal": lines(r"""
            (?:.*\b)?(?:options?|propositions?|recommandations?|alternatives?|plan|idées?)\b.*
        """),
    },
)
