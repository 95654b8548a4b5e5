"""Owns what the extractor knows of Spanish."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue, lines, words

SPANISH = Tongue(
    code="es",
    letters="ñ¿¡",
    parts={
        "done": lines(r"""
            añadido|agregado|eliminado|corregido|arreglado|actualizado|cambiado|renombrado|creado|movido|reemplazado|
            sustituido|implementado|simplificado|quitado|desactivado|activado|configurado|documentado|migrado|
            extraído|introducido|resuelto|probado|medido|publicado|verificado
        """),
        "did": lines(r"""
            añadí|agregué|eliminé|corregí|arreglé|actualicé|cambié|renombré|creé|moví|reemplacé|implementé|quité|
            añadimos|eliminamos
        """),
    },
    function_words=words("""
        a al algo algunas algunos ante antes así aun aunque cada como con contra cual cuando cuál cuándo cómo
        de debe deben del desde donde dos dónde el ella ellas ellos en entre era eran es esa esas ese eso esos
        esta estaba estas este esto estos está están fue fueron ha había hace hacer han has hasta hay he la
        las le les lo los me mi mis mucho muy más nada ni no nos nosotros nuestra nuestro o os otra otro para
        pero poco por porque puede pueden pues que quien quién qué se sea ser será si sido sin sobre solo son
        su sus sí sólo también tan tanto te tiene tienen todo todos tu tus un una unas uno unos usted y ya yo
        él
    """),
    hollow=words("""
        archivo archivos cambio cambios caso causa cosa código ejemplo error fichero ficheros función lista
        línea nombre parte paso pasos pregunta problema prueba pruebas punto rama razón respuesta resultado
        resultados sesión solución tarea valor versión
    """),
    starts_dropped=lines(r"""
        (?:sí|no|ok|vale|bien|perfecto|exacto|exactamente|claro|de acuerdo|gracias|hecho|listo|encontrado|
        buena pregunta|buen punto|tienes razón|tiene razón|en resumen|por cierto|nota|importante)(?:[.,!:;]+\s*|
        \s[–—-]+\s+)
    """),
    starts_chatter=lines(r"""
        ¡?(?:hola|buenos días|buenas tardes|buenas noches|bienvenido)\b
        (?:gracias|muchas gracias|perdón|perdona|lo siento|disculpa|disculpe|de nada|mi error)\b
        (?:voy a|vamos a (?:ver|mirar|revisar|empezar)|déjame|permíteme|ahora (?:voy|vamos|toca)|veamos|primero voy|
        tengo que|necesito|creo que|veo que|entiendo)\b
        ¿?(?:quieres que|quiere que|te gustaría|le gustaría|debo|avísame|dime si)\b
        (?:aquí (?:está|están|tienes)|a continuación)\b
        (?:suena bien|todo (?:listo|bien|correcto)|entendido|un momento)\b
    """),
    starts_dangling=lines(r"""
        (?:esto|eso|este|esta|estos|estas|ese|esa|aquello|ello|él|ella|ellos|ellas|así|entonces|luego|después|pero|y|
        o|además|también|sin embargo|por eso|por tanto|por lo tanto|ambos|ambas|allí|aquí|si no)\b
        (?:primero|segundo|tercero|finalmente|opción|paso|punto)\b\s*\d*
    """),
    starts_request=lines(r"""
        (?:por favor)\b[,:]?\s*
        ¿?(?:puedes|puede|podrías|podría|podemos|podríamos)(?: por favor| también)*\b\s*
        (?:quiero|quisiera|me gustaría|necesitamos|deberíamos|debemos|hay que|tenemos que)(?: que)?\b\s*
        (?:y|ahora|entonces|también|pues)\b[,:]?\s+
    """),
    starts_setting=lines(r"""
        (?:cuando|si|después|antes|mientras|desde|como|aunque|sin|con|en|para|por|al|tras)\b
    """),
    starts_question=lines(r"""
        ¿
    """),
    starts_wondering=lines(r"""
        ¿?(?:qué (?:es|son|hace|significa|pasa)|por qué|cómo|dónde|cuándo|cuál(?:es)?|quién)\b
    """),
    starts_result=lines(r"""
        (?:se (?:ha|han) \w+[ai]d[oa]|se (?:añadió|agregó|eliminó|corrigió|cambió|creó|movió|reemplazó))\b
        .{3,120}\b(?:ha sido|han sido|fue|fueron|está ahora|ahora está) (?:<done>)(?:a|s|as)?\b
        .{3,80}\bahora (?:funciona|usa|utiliza|escribe|lee|devuelve)\b
    """),
    starts_done=lines(r"""
        (?:he|hemos)(?: también)* (?:<done>)\b
        (?:<done>|<did>)(?:a|s|as)?\b
    """),
    starts_claim=lines(r"""
        (?:el|la) (?:verdadero |verdadera |único )?(?:problema|causa|razón|error|solución|fallo) (?:es|era|
        fue)(?: que)?\s*
        (?:causa|problema|error|razón|solución|decisión|regla|nota|resultado)\s*[:–—-]\s*
        (?:decidimos|hemos decidido|acordamos|elegimos)(?: que)?\s*
        (?:ten en cuenta|resulta|recuerda)(?: que)?,?\s*
    """),
    continues=lines(r"""
        (?:porque|ya que|puesto que|para|pero|sino|en lugar|en vez|lo que|lo cual|que|aunque|salvo|y no)\b
    """),
    request=lines(r"""
        \bpor favor\b
        \b(?:puedes|puede|podrías|podría|podemos)\b
        \b(?:quiero|quisiera|me gustaría|deberíamos|debemos|hay que|tenemos que)\b
        ^(?:añade|agrega|elimina|quita|corrige|arregla|cambia|crea|revisa|escribe|haz|muestra|explica|reemplaza|
        renombra|prueba|ejecuta|comprueba|busca|mueve)\b
    """),
    decision=lines(r"""
        \b(?:decidimos|decidido|decisión|acordamos|acordado|elegimos|elegido|optamos)\b
        \b(?:usamos|usaremos|mantenemos|mantendremos|nos quedamos con|descartamos)\b
    """),
    wish=lines(r"""
        \b(?:prefiero|preferimos|no queremos|no quiero|no necesitamos|mejor)\b
        \b(?:debería|deberían|debe|deben) (?:no|siempre|solo|ser|quedar)\b
    """),
    contrast=lines(r"""
        \b(?:en lugar de|en vez de|ya no|reemplaza\w* .{0,40}por|sustitui\w* .{0,40}por|cambiar de)\b
    """),
    preference=lines(r"""
        \b(?:solo|sólo|únicamente|nunca|prefer\w+|por defecto)\b
    """),
    rule=lines(r"""
        \b(?:siempre|nunca|jamás|bajo ningún concepto|obligatorio|prohibido)\b
        \b(?:no se (?:debe|puede)|no (?:debe|deben))\b
        \b(?:cada|todos? los|todas? las) .{2,60}\b(?:debe|deben|tiene que)\b
    """),
    problem=lines(r"""
        \b(?:error|problema|fallo|falla|fallan|falló|fallaba|roto|rota|rompe|rompía|pierd\w+|perd(?:ía|ió|ido|ida|
        er)\w*|falta|faltaba|incorrecto|inesperado|bloquea|fuga|obsoleto|sobrescribe)\b
        \bno (?:se )?(?:puede|funciona|funcionaba|existe|encuentra|carga|guarda|devuelve|aparece)\w*\b
    """),
    cause=lines(r"""
        \b(?:porque|debido a|a causa de|ya que|puesto que|causado|provocad[oa]|la causa|por lo que|lo que (?:provoca|
        causa|hace)|por eso)\b
    """),
    fix=lines(r"""
        \b(?:la solución (?:es|fue)|se (?:corrige|corrigió|arregla|arregló|soluciona)|para (?:evitar|
        corregir) (?:esto|eso))\b
    """),
    concept=lines(r"""
        (?<=\s)(?:es|son)\s
        (?<=\s)(?:significa|contiene|contienen|almacena|guarda|representa|describe|sirve|consiste en|corresponde a|
        gestiona|lee|escribe|devuelve|usa|utiliza|crea|depende)\b
    """),
    open=lines(r"""
        \b(?:todo:|pendiente|pendientes|más adelante|aún no|todavía no|queda por|próximo paso|próximos pasos)\b
    """),
    proposal=lines(r"""
        \b(?:podría|podrían|quizás?|tal vez|propuesta|opción|alternativamente)\b
    """),
    hedge=lines(r"""
        \b(?:quizás?|tal vez|probablemente|parece|parecen|aparentemente|posiblemente)\b
    """),
    passing_state=lines(r"""
        \b(?:actualmente|por ahora|de momento|en curso)\b|→|✅|❌
    """),
    self_reference=lines(r"""
        \b(?:yo|me|mi|mis)\b
    """),
    passing=lines(r"""
        (?:todas |todos |las |los |pruebas? |tests? |pasan|pasa|está |están |todo |listo|hecho|bien|y |verde|en )+$
    """),
    starts_speaker=lines(r"""
        (?:yo|nosotros|tú|usted|mi|nuestro|nuestra|vamos)\b
    """),
    pointers=lines(r"""
        \b(?:esto|eso|aquello|aquí|allí|arriba|abajo)\b
    """),
    articles=lines(r"""
        (?:el|la|los|las|una?|cada|todos los|todas las|nuestr[oa]s?)\s+
    """),
    breaks=lines(r"""
        (?:porque|ya que|puesto que|en lugar de|en vez de|para que)\s
    """),
    adjuncts=lines(r"""
        (?:sin|con|para|por|en|desde|sobre|durante)\s
    """),
    headings={
        "problem": lines(r"""
            (?:el )?(?:problemas?|errores|error|fallos?|síntomas?|qué (?:pasa|ocurre))
        """),
        "cause": lines(r"""
            (?:la )?(?:causas?|causa raíz|origen)
        """),
        "why": lines(r"""
            (?:por qué|razón|razones|motivación|contexto|justificación|ventajas)(?: .*)?
        """),
        "fix": lines(r"""
            (?:la )?(?:solución|soluciones|corrección|arreglo)
        """),
        "result": lines(r"""
            (?:resumen|cambios(?: realizados)?|hecho|realizado|qué (?:se )?(?:cambió|hizo|hicimos).*|
            archivos modificados|añadido|eliminado|corregido)
        """),
        "outcome": lines(r"""
            (?:resultados?|estado|verificación|conclusión)
        """),
        "decision": lines(r"""
            (?:la )?(?:decisión|decisiones|decidido)
        """),
        "rule": lines(r"""
            (?:reglas?|convenciones|convención|normas?|importante)
        """),
        "concept": lines(r"""
            (?:resumen general|visión general|arquitectura|definición|definiciones|conceptos?|cómo funciona.*)
        """),
        "step": lines(r"""
            (?:pasos|procedimiento|instrucciones|uso|instalación|cómo .*)(?: .*)?
        """),
        "open": lines(r"""
            (?:pendiente|pendientes|próximos pasos|preguntas abiertas|por hacer)
        """),
        "proposal": lines(r"""
            (?:.*\b)?(?:opciones|opción|propuestas?|recomendación|recomendaciones|alternativas?|plan|ideas?)\b.*
        """),
    },
)
