"""Owns what the extractor knows of Portuguese."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue

_DONE = (
    "adicionado|removido|corrigido|atualizado|alterado|renomeado|criado|movido|substituído|implementado|simplificado|"
    "desativado|ativado|configurado|documentado|migrado|extraído|introduzido|resolvido|testado|medido|publicado|verificado"
)
_DID = (
    "adicionei|removi|corrigi|atualizei|alterei|renomeei|criei|movi|substituí|implementei|simplifiquei|adicionamos|"
    "removemos|corrigimos|atualizamos|alteramos|criamos|movemos|implementamos"
)

PORTUGUESE = Tongue(
    code="pt",
    function_words=frozenset(
        "a à agora ainda algo alguma algumas alguns ao aos as às até cada com como da das de dela dele deles depois desde "
        "do dos e é ela elas ele eles em entre era essa essas esse esses esta está estão estava este estes eu foi foram há "
        "isso isto já lhe mais mas me mesmo meu meus minha muito na nada não nas nem no nos nós nossa nosso num numa o os "
        "ou onde outra outro para pela pelas pelo pelos pode podem por porque pouco qual quando que quê quem se sem ser "
        "será seu seus só sobre são sua suas também tem têm tinha toda todas todo todos tudo um uma umas uns você vocês deve devem".split()
    ),
    hollow=frozenset(
        "problema erro causa razão motivo solução mudança mudanças alteração alterações arquivo arquivos ficheiro função "
        "código teste testes coisa parte passo passos resultado resultados pergunta resposta exemplo caso ponto versão "
        "tarefa nome valor linha lista sessão".split()
    ),
    starts_dropped=(
        r"(?:sim|não|ok|certo|bom|perfeito|ótimo|exato|exatamente|claro|obrigad[oa]|feito|pronto|encontrado|"
        r"boa pergunta|bom ponto|você tem razão|em resumo|aliás|nota|importante)(?:[.,!:;]+\s*|\s[–—-]+\s+)",
    ),
    starts_chatter=(
        r"(?:olá|oi|bom dia|boa tarde|boa noite|bem-vindo)\b",
        r"(?:obrigad[oa]|desculpe|desculpa|perdão|de nada|meu erro)\b",
        r"(?:vou|vamos (?:ver|olhar|começar|verificar)|deixe-me|deixa eu|agora (?:vou|vamos)|primeiro vou|preciso|acho que|"
        r"vejo que|entendo)\b",
        r"(?:quer que|gostaria que|você quer|devo|me avise|me diga)\b",
        r"(?:aqui (?:está|estão)|a seguir|segue)\b",
        r"(?:parece bom|tudo (?:pronto|certo|bem)|entendido|um momento)\b",
    ),
    starts_dangling=(
        r"(?:isso|isto|este|esta|estes|estas|esse|essa|esses|essas|aquilo|ele|ela|eles|elas|assim|então|depois|mas|e|ou|"
        r"além disso|também|porém|no entanto|por isso|portanto|ambos|ambas|ali|aqui|senão)\b",
        r"(?:primeiro|segundo|terceiro|finalmente|opção|passo|ponto)\b\s*\d*",
    ),
    starts_request=(
        r"(?:por favor)\b[,:]?\s*",
        r"(?:você pode|você poderia|pode|poderia|podemos|poderíamos|dá para)(?: por favor| também)*\b\s*",
        r"(?:eu quero|quero|gostaria de|precisamos|devemos|deveríamos|temos que|vamos)(?: que)?\b\s*",
        r"(?:e|agora|então|também)\b[,:]?\s+",
    ),
    starts_question=(r"(?:será que|tem como|existe)\b",),
    starts_wondering=(r"(?:o que (?:é|são|faz|significa|acontece)|por que|por quê|como|onde|quando|qual|quais|quem)\b",),
    starts_setting=(r"(?:quando|se|depois|antes|enquanto|desde|como|embora|sem|com|em|no|na|para|por|ao|após)\b",),
    continues=(r"(?:porque|pois|já que|para|mas|e não|em vez|o que|que|embora|exceto)\b",),
    starts_done=(rf"(?:{_DONE}|{_DID})(?:a|s|as)?\b",),
    starts_result=(
        rf".{{3,120}}\b(?:foi|foram|está agora|agora está) (?:{_DONE})(?:a|s|as)?\b",
        r".{3,80}\bagora (?:funciona|usa|utiliza|escreve|lê|retorna|grava)\b",
    ),
    starts_claim=(
        r"(?:o|a) (?:verdadeiro |verdadeira |único )?(?:problema|causa|razão|motivo|erro|solução|falha) (?:é|era|foi)(?: que)?\s*",
        r"(?:causa|problema|erro|razão|motivo|solução|decisão|regra|nota|resultado)\s*[:–—-]\s*",
        r"(?:decidimos|combinamos|escolhemos|concordamos)(?: que)?\s*",
        r"(?:note|lembre-se|acontece)(?: que)?,?\s*",
    ),
    request=(
        r"\bpor favor\b",
        r"\b(?:você pode|poderia|podemos|dá para)\b",
        r"\b(?:quero|gostaria|devemos|deveríamos|precisamos|temos que)\b",
        r"^(?:adicione|adiciona|remova|remove|corrija|corrige|altere|mude|crie|cria|verifique|verifica|escreva|faça|mostre|"
        r"explique|substitua|renomeie|teste|execute|procure|mova)\b",
    ),
    decision=(
        r"\b(?:decidimos|decidido|decisão|combinamos|escolhemos|escolhido|optamos)\b",
        r"\b(?:usaremos|vamos usar|vamos manter|mantemos|ficamos com|descartamos)\b",
    ),
    wish=(
        r"\b(?:prefiro|preferimos|não queremos|não quero|não precisamos|melhor)\b",
        r"\b(?:deveria|deveriam|deve|devem) (?:não|sempre|apenas|ser|ficar)\b",
    ),
    contrast=(r"\b(?:em vez de|ao invés de|não .{1,30} mais|substitu\w+ .{0,40}por|trocar .{0,40}por|no lugar de)\b",),
    preference=(r"\b(?:só|apenas|somente|nunca|prefer\w+|por padrão)\b",),
    rule=(
        r"\b(?:sempre|nunca|jamais|de forma alguma|obrigatório|proibido)\b",
        r"\b(?:não (?:se )?(?:deve|devem|pode))\b",
        r"\b(?:cada|todos? os|todas? as) .{2,60}\b(?:deve|devem|tem que|precisa)\b",
    ),
    problem=(
        r"\b(?:erro|problema|falha|falham|falhou|falhava|quebrad[oa]|quebra|quebrou|perd(?:e|ia|eu|ido|ida|er)\w*|falta|faltava|incorret[oa]|"
        r"inesperad[oa]|trava|travou|vazamento|obsolet[oa]|sobrescreve)\b",
        r"\bnão (?:se )?(?:pode|funciona|funcionava|existe|encontra|carrega|salva|retorna|aparece)\w*\b",
    ),
    cause=(
        r"\b(?:porque|devido a|por causa d[aeo]|já que|pois|causad[oa]|provocad[oa]|a causa|por isso|o que (?:causa|faz|provoca))\b",
    ),
    fix=(r"\b(?:a solução (?:é|foi)|corrigido com|resolvido com|para (?:evitar|corrigir) (?:isso|isto))\b",),
    concept=(
        r"(?<=\s)(?:é|são)\s",
        r"(?<=\s)(?:significa|contém|contêm|armazena|guarda|representa|descreve|serve|consiste em|corresponde a|gerencia|"
        r"lê|escreve|retorna|usa|utiliza|cria|depende)\b",
    ),
    open=(r"\b(?:todo:|pendente|pendentes|mais tarde|ainda não|falta (?:ainda )?fazer|próximo passo|próximos passos)\b",),
    proposal=(r"\b(?:poderia|poderiam|talvez|proposta|opção|alternativamente)\b",),
    hedge=(r"\b(?:talvez|provavelmente|parece|parecem|aparentemente|possivelmente)\b",),
    passing_state=(r"\b(?:atualmente|por enquanto|no momento|em andamento)\b|→|✅|❌",),
    self_reference=(r"\b(?:eu|me|meu|minha)\b",),
    negation=(r"\b(?:não|nunca|nenhum|nenhuma|sem)\b",),
    passing=(r"(?:todos |todas |os |as |testes? |passam|passa|está |estão |tudo |pronto|feito|certo|e |verde)+$",),
    headings={
        "problem": (r"(?:o )?(?:problemas?|erros?|falhas?|sintomas?|o que acontece)",),
        "cause": (r"(?:a )?(?:causas?|causa raiz|origem)",),
        "why": (r"(?:por que|por quê|razão|razões|motivação|motivo|contexto|justificativa|vantagens)(?: .*)?",),
        "fix": (r"(?:a )?(?:solução|soluções|correção|correções)",),
        "result": (r"(?:resumo|mudanças|alterações|feito|realizado|o que (?:mudou|foi feito).*|arquivos alterados|adicionado|removido|corrigido)",),
        "outcome": (r"(?:resultados?|estado|status|verificação|conclusão)",),
        "decision": (r"(?:a )?(?:decisão|decisões|decidido)",),
        "rule": (r"(?:regras?|convenções|convenção|normas?|importante)",),
        "concept": (r"(?:visão geral|arquitetura|definição|definições|conceitos?|como funciona.*)",),
        "step": (r"(?:passos|procedimento|instruções|uso|instalação|como .*)(?: .*)?",),
        "open": (r"(?:pendente|pendentes|próximos passos|perguntas abertas|a fazer)",),
        "proposal": (r"(?:.*\b)?(?:opções|opção|propostas?|recomendação|recomendações|alternativas?|plano|ideias?)\b.*",),
    },
)
