"""Owns what the extractor knows of Spanish."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue

_DONE = (
    "añadido|agregado|eliminado|corregido|arreglado|actualizado|cambiado|renombrado|creado|movido|reemplazado|"
    "sustituido|implementado|simplificado|quitado|desactivado|activado|configurado|documentado|migrado|extraído|"
    "introducido|resuelto|probado|medido|publicado|verificado"
)
_DID = "añadí|agregué|eliminé|corregí|arreglé|actualicé|cambié|renombré|creé|moví|reemplacé|implementé|quité|añadimos|eliminamos"

SPANISH = Tongue(
    code="es",
    function_words=frozenset(
        "a al algo algunas algunos ante antes así aun aunque cada como cómo con contra cual cuál cuando cuándo de del "
        "desde donde dónde dos el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estaba estas "
        "este esto estos fue fueron ha había hace hacer han has hasta hay he la las le les lo los más me mi mis mucho muy "
        "nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque puede pueden pues que qué quien "
        "quién se sea ser será si sí sido sin sobre solo sólo son su sus también tan tanto te tiene tienen todo todos tu "
        "tus un una unas uno unos usted y ya yo debe deben".split()
    ),
    hollow=frozenset(
        "problema error causa razón solución cambio cambios archivo archivos fichero ficheros función código prueba "
        "pruebas cosa parte paso pasos resultado resultados pregunta respuesta ejemplo caso punto versión tarea nombre "
        "valor línea lista rama sesión".split()
    ),
    starts_dropped=(
        r"(?:sí|no|ok|vale|bien|perfecto|exacto|exactamente|claro|de acuerdo|gracias|hecho|listo|encontrado|"
        r"buena pregunta|buen punto|tienes razón|tiene razón|en resumen|por cierto|nota|importante)"
        r"(?:[.,!:;]+\s*|\s[–—-]+\s+)",
    ),
    starts_chatter=(
        r"¡?(?:hola|buenos días|buenas tardes|buenas noches|bienvenido)\b",
        r"(?:gracias|muchas gracias|perdón|perdona|lo siento|disculpa|disculpe|de nada|mi error)\b",
        r"(?:voy a|vamos a (?:ver|mirar|revisar|empezar)|déjame|permíteme|ahora (?:voy|vamos|toca)|veamos|primero voy|"
        r"tengo que|necesito|creo que|veo que|entiendo)\b",
        r"¿?(?:quieres que|quiere que|te gustaría|le gustaría|debo|avísame|dime si)\b",
        r"(?:aquí (?:está|están|tienes)|a continuación)\b",
        r"(?:suena bien|todo (?:listo|bien|correcto)|entendido|un momento)\b",
    ),
    starts_dangling=(
        r"(?:esto|eso|este|esta|estos|estas|ese|esa|aquello|ello|él|ella|ellos|ellas|así|entonces|luego|después|pero|y|o|"
        r"además|también|sin embargo|por eso|por tanto|por lo tanto|ambos|ambas|allí|aquí|si no)\b",
        r"(?:primero|segundo|tercero|finalmente|opción|paso|punto)\b\s*\d*",
    ),
    starts_request=(
        r"(?:por favor)\b[,:]?\s*",
        r"¿?(?:puedes|puede|podrías|podría|podemos|podríamos)(?: por favor| también)*\b\s*",
        r"(?:quiero|quisiera|me gustaría|necesitamos|deberíamos|debemos|hay que|tenemos que)(?: que)?\b\s*",
        r"(?:y|ahora|entonces|también|pues)\b[,:]?\s+",
    ),
    starts_question=(r"¿",),
    starts_wondering=(r"¿?(?:qué (?:es|son|hace|significa|pasa)|por qué|cómo|dónde|cuándo|cuál(?:es)?|quién)\b",),
    starts_setting=(r"(?:cuando|si|después|antes|mientras|desde|como|aunque|sin|con|en|para|por|al|tras)\b",),
    continues=(r"(?:porque|ya que|puesto que|para|pero|sino|en lugar|en vez|lo que|lo cual|que|aunque|salvo|y no)\b",),
    starts_done=(rf"(?:he|hemos)(?: también)* (?:{_DONE})\b", rf"(?:{_DONE}|{_DID})(?:a|s|as)?\b"),
    starts_result=(
        r"(?:se (?:ha|han) \w+[ai]d[oa]|se (?:añadió|agregó|eliminó|corrigió|cambió|creó|movió|reemplazó))\b",
        rf".{{3,120}}\b(?:ha sido|han sido|fue|fueron|está ahora|ahora está) (?:{_DONE})(?:a|s|as)?\b",
        r".{3,80}\bahora (?:funciona|usa|utiliza|escribe|lee|devuelve)\b",
    ),
    starts_claim=(
        r"(?:el|la) (?:verdadero |verdadera |único )?(?:problema|causa|razón|error|solución|fallo) (?:es|era|fue)(?: que)?\s*",
        r"(?:causa|problema|error|razón|solución|decisión|regla|nota|resultado)\s*[:–—-]\s*",
        r"(?:decidimos|hemos decidido|acordamos|elegimos)(?: que)?\s*",
        r"(?:ten en cuenta|resulta|recuerda)(?: que)?,?\s*",
    ),
    request=(
        r"\bpor favor\b",
        r"\b(?:puedes|puede|podrías|podría|podemos)\b",
        r"\b(?:quiero|quisiera|me gustaría|deberíamos|debemos|hay que|tenemos que)\b",
        r"^(?:añade|agrega|elimina|quita|corrige|arregla|cambia|crea|revisa|escribe|haz|muestra|explica|reemplaza|renombra|"
        r"prueba|ejecuta|comprueba|busca|mueve)\b",
    ),
    decision=(
        r"\b(?:decidimos|decidido|decisión|acordamos|acordado|elegimos|elegido|optamos)\b",
        r"\b(?:usamos|usaremos|mantenemos|mantendremos|nos quedamos con|descartamos)\b",
    ),
    wish=(
        r"\b(?:prefiero|preferimos|no queremos|no quiero|no necesitamos|mejor)\b",
        r"\b(?:debería|deberían|debe|deben) (?:no|siempre|solo|ser|quedar)\b",
    ),
    contrast=(r"\b(?:en lugar de|en vez de|ya no|reemplaza\w* .{0,40}por|sustitui\w* .{0,40}por|cambiar de)\b",),
    preference=(r"\b(?:solo|sólo|únicamente|nunca|prefer\w+|por defecto)\b",),
    rule=(
        r"\b(?:siempre|nunca|jamás|bajo ningún concepto|obligatorio|prohibido)\b",
        r"\b(?:no se (?:debe|puede)|no (?:debe|deben))\b",
        r"\b(?:cada|todos? los|todas? las) .{2,60}\b(?:debe|deben|tiene que)\b",
    ),
    problem=(
        r"\b(?:error|problema|fallo|falla|fallan|falló|fallaba|roto|rota|rompe|rompía|pierd\w+|perd(?:ía|ió|ido|ida|er)\w*|falta|faltaba|incorrecto|"
        r"inesperado|bloquea|fuga|obsoleto|sobrescribe)\b",
        r"\bno (?:se )?(?:puede|funciona|funcionaba|existe|encuentra|carga|guarda|devuelve|aparece)\w*\b",
    ),
    cause=(
        r"\b(?:porque|debido a|a causa de|ya que|puesto que|causado|provocad[oa]|la causa|por lo que|lo que (?:provoca|causa|"
        r"hace)|por eso)\b",
    ),
    fix=(r"\b(?:la solución (?:es|fue)|se (?:corrige|corrigió|arregla|arregló|soluciona)|para (?:evitar|corregir) (?:esto|eso))\b",),
    concept=(
        r"(?<=\s)(?:es|son)\s",
        r"(?<=\s)(?:significa|contiene|contienen|almacena|guarda|representa|describe|sirve|consiste en|corresponde a|"
        r"gestiona|lee|escribe|devuelve|usa|utiliza|crea|depende)\b",
    ),
    open=(r"\b(?:todo:|pendiente|pendientes|más adelante|aún no|todavía no|queda por|próximo paso|próximos pasos)\b",),
    proposal=(r"\b(?:podría|podrían|quizás?|tal vez|propuesta|opción|alternativamente)\b",),
    hedge=(r"\b(?:quizás?|tal vez|probablemente|parece|parecen|aparentemente|posiblemente)\b",),
    passing_state=(r"\b(?:actualmente|por ahora|de momento|en curso)\b|→|✅|❌",),
    self_reference=(r"\b(?:yo|me|mi|mis)\b",),
    negation=(r"\b(?:no|nunca|ningún|ninguna|sin)\b",),
    passing=(r"(?:todas |todos |las |los |pruebas? |tests? |pasan|pasa|está |están |todo |listo|hecho|bien|y |verde|en )+$",),
    headings={
        "problem": (r"(?:el )?(?:problemas?|errores|error|fallos?|síntomas?|qué (?:pasa|ocurre))",),
        "cause": (r"(?:la )?(?:causas?|causa raíz|origen)",),
        "why": (r"(?:por qué|razón|razones|motivación|contexto|justificación|ventajas)(?: .*)?",),
        "fix": (r"(?:la )?(?:solución|soluciones|corrección|arreglo)",),
        "result": (r"(?:resumen|cambios(?: realizados)?|hecho|realizado|qué (?:se )?(?:cambió|hizo|hicimos).*|archivos modificados|añadido|eliminado|corregido)",),
        "outcome": (r"(?:resultados?|estado|verificación|conclusión)",),
        "decision": (r"(?:la )?(?:decisión|decisiones|decidido)",),
        "rule": (r"(?:reglas?|convenciones|convención|normas?|importante)",),
        "concept": (r"(?:resumen general|visión general|arquitectura|definición|definiciones|conceptos?|cómo funciona.*)",),
        "step": (r"(?:pasos|procedimiento|instrucciones|uso|instalación|cómo .*)(?: .*)?",),
        "open": (r"(?:pendiente|pendientes|próximos pasos|preguntas abiertas|por hacer)",),
        "proposal": (r"(?:.*\b)?(?:opciones|opción|propuestas?|recomendación|recomendaciones|alternativas?|plan|ideas?)\b.*",),
    },
)
