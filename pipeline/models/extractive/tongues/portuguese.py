"""Owns what the extractor knows of Portuguese."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue, lines, words

PORTUGUESE = Tongue(
    code="pt",
    letters="ãõâêôç",
    parts={
        "done": lines(r"""
            adicionado|removido|corrigido|atualizado|alterado|renomeado|criado|movido|substituído|implementado|
            simplificado|desativado|ativado|configurado|documentado|migrado|extraído|introduzido|resolvido|testado|
            medido|publicado|verificado
        """),
        "did": lines(r"""
            adicionei|removi|corrigi|atualizei|alterei|renomeei|criei|movi|substituí|implementei|simplifiquei|
            adicionamos|removemos|corrigimos|atualizamos|alteramos|criamos|movemos|implementamos
        """),
    },
    function_words=words("""
        a agora ainda algo alguma algumas alguns ao aos as até cada com como da das de dela dele deles depois
        desde deve devem do dos e ela elas ele eles em entre era essa essas esse esses esta estava este estes
        está estão eu foi foram há isso isto já lhe mais mas me mesmo meu meus minha muito na nada nas nem no
        nos nossa nosso num numa não nós o onde os ou outra outro para pela pelas pelo pelos pode podem por
        porque pouco qual quando que quem quê se sem ser será seu seus sobre sua suas são só também tem tinha
        toda todas todo todos tudo têm um uma umas uns você vocês à às é
    """),
    hollow=words("""
        alteração alterações arquivo arquivos caso causa coisa código erro exemplo ficheiro função linha lista
        motivo mudança mudanças nome parte passo passos pergunta ponto problema razão resposta resultado
        resultados sessão solução tarefa teste testes valor versão
    """),
    starts_dropped=lines(r"""
        (?:sim|não|ok|certo|bom|perfeito|ótimo|exato|exatamente|claro|obrigad[oa]|feito|pronto|encontrado|
        boa pergunta|bom ponto|você tem razão|em resumo|aliás|nota|importante)(?:[.,!:;]+\s*|\s[–—-]+\s+)
    """),
    starts_chatter=lines(r"""
        (?:olá|oi|bom dia|boa tarde|boa noite|bem-vindo)\b
        (?:obrigad[oa]|desculpe|desculpa|perdão|de nada|meu erro)\b
        (?:vou|vamos (?:ver|olhar|começar|verificar)|deixe-me|deixa eu|agora (?:vou|vamos)|primeiro vou|preciso|
        acho que|vejo que|entendo)\b
        (?:quer que|gostaria que|você quer|devo|me avise|me diga)\b
        (?:aqui (?:está|estão)|a seguir|segue)\b
        (?:parece bom|tudo (?:pronto|certo|bem)|entendido|um momento)\b
    """),
    starts_dangling=lines(r"""
        (?:isso|isto|este|esta|estes|estas|esse|essa|esses|essas|aquilo|ele|ela|eles|elas|assim|então|depois|mas|e|ou|
        além disso|também|porém|no entanto|por isso|portanto|ambos|ambas|ali|aqui|senão)\b
        (?:primeiro|segundo|terceiro|finalmente|opção|passo|ponto)\b\s*\d*
    """),
    starts_request=lines(r"""
        (?:por favor)\b[,:]?\s*
        (?:você pode|você poderia|pode|poderia|podemos|poderíamos|dá para)(?: por favor| também)*\b\s*
        (?:eu quero|quero|gostaria de|precisamos|devemos|deveríamos|temos que|vamos)(?: que)?\b\s*
        (?:e|agora|então|também)\b[,:]?\s+
    """),
    starts_setting=lines(r"""
        (?:quando|se|depois|antes|enquanto|desde|como|embora|sem|com|em|no|na|para|por|ao|após)\b
    """),
    starts_question=lines(r"""
        (?:será que|tem como|existe)\b
    """),
    starts_wondering=lines(r"""
        (?:o que (?:é|são|faz|significa|acontece)|por que|por quê|como|onde|quando|qual|quais|quem)\b
    """),
    starts_result=lines(r"""
        .{3,120}\b(?:foi|foram|está agora|agora está) (?:<done>)(?:a|s|as)?\b
        .{3,80}\bagora (?:funciona|usa|utiliza|escreve|lê|retorna|grava)\b
    """),
    starts_done=lines(r"""
        (?:<done>|<did>)(?:a|s|as)?\b
    """),
    starts_claim=lines(r"""
        (?:o|a) (?:verdadeiro |verdadeira |único )?(?:problema|causa|razão|motivo|erro|solução|falha) (?:é|era|
        foi)(?: que)?\s*
        (?:causa|problema|erro|razão|motivo|solução|decisão|regra|nota|resultado)\s*[:–—-]\s*
        (?:decidimos|combinamos|escolhemos|concordamos)(?: que)?\s*
        (?:note|lembre-se|acontece)(?: que)?,?\s*
    """),
    continues=lines(r"""
        (?:porque|pois|já que|para|mas|e não|em vez|o que|que|embora|exceto)\b
    """),
    request=lines(r"""
        \bpor favor\b
        \b(?:você pode|poderia|podemos|dá para)\b
        \b(?:quero|gostaria|devemos|deveríamos|precisamos|temos que)\b
        ^(?:adicione|adiciona|remova|remove|corrija|corrige|altere|mude|crie|cria|verifique|verifica|escreva|faça|
        mostre|explique|substitua|renomeie|teste|execute|procure|mova)\b
    """),
    decision=lines(r"""
        \b(?:decidimos|decidido|decisão|combinamos|escolhemos|escolhido|optamos)\b
        \b(?:usaremos|vamos usar|vamos manter|mantemos|ficamos com|descartamos)\b
    """),
    wish=lines(r"""
        \b(?:prefiro|preferimos|não queremos|não quero|não precisamos|melhor)\b
        \b(?:deveria|deveriam|deve|devem) (?:não|sempre|apenas|ser|ficar)\b
    """),
    contrast=lines(r"""
        \b(?:em vez de|ao invés de|não .{1,30} mais|substitu\w+ .{0,40}por|trocar .{0,40}por|no lugar de)\b
    """),
    preference=lines(r"""
        \b(?:só|apenas|somente|nunca|prefer\w+|por padrão)\b
    """),
    rule=lines(r"""
        \b(?:sempre|nunca|jamais|de forma alguma|obrigatório|proibido)\b
        \b(?:não (?:se )?(?:deve|devem|pode))\b
        \b(?:cada|todos? os|todas? as) .{2,60}\b(?:deve|devem|tem que|precisa)\b
    """),
    problem=lines(r"""
        \b(?:erro|problema|falha|falham|falhou|falhava|quebrad[oa]|quebra|quebrou|perd(?:e|ia|eu|ido|ida|er)\w*|falta|
        faltava|incorret[oa]|inesperad[oa]|trava|travou|vazamento|obsolet[oa]|sobrescreve)\b
        \bnão (?:se )?(?:pode|funciona|funcionava|existe|encontra|carrega|salva|retorna|aparece)\w*\b
    """),
    cause=lines(r"""
        \b(?:porque|devido a|por causa d[aeo]|já que|pois|causad[oa]|provocad[oa]|a causa|por isso|o que (?:causa|faz|
        provoca))\b
    """),
    fix=lines(r"""
        \b(?:a solução (?:é|foi)|corrigido com|resolvido com|para (?:evitar|corrigir) (?:isso|isto))\b
    """),
    concept=lines(r"""
        (?<=\s)(?:é|são)\s
        (?<=\s)(?:significa|contém|contêm|armazena|guarda|representa|descreve|serve|consiste em|corresponde a|
        gerencia|lê|escreve|retorna|usa|utiliza|cria|depende)\b
    """),
    open=lines(r"""
        \b(?:todo:|pendente|pendentes|mais tarde|ainda não|falta (?:ainda )?fazer|próximo passo|próximos passos)\b
    """),
    proposal=lines(r"""
        \b(?:poderia|poderiam|talvez|proposta|opção|alternativamente)\b
    """),
    hedge=lines(r"""
        \b(?:talvez|provavelmente|parece|parecem|aparentemente|possivelmente)\b
    """),
    passing_state=lines(r"""
        \b(?:atualmente|por enquanto|no momento|em andamento)\b|→|✅|❌
    """),
    self_reference=lines(r"""
        \b(?:eu|me|meu|minha)\b
    """),
    passing=lines(r"""
        (?:todos |todas |os |as |testes? |passam|passa|está |estão |tudo |pronto|feito|certo|e |verde)+$
    """),
    starts_speaker=lines(r"""
        (?:eu|nós|você|meu|minha|nosso|nossa|vamos)\b
    """),
    pointers=lines(r"""
        \b(?:isso|isto|aquilo|aqui|ali|acima|abaixo)\b
    """),
    articles=lines(r"""
        (?:os?|as?|uma?|cada|todos os|todas as|nossos?|nossas?)\s+
    """),
    breaks=lines(r"""
        (?:porque|já que|pois|em vez de|ao invés de|para que)\s
    """),
    adjuncts=lines(r"""
        (?:sem|com|para|por|em|no|na|desde|sobre|durante)\s
    """),
    headings={
        "problem": lines(r"""
            (?:o )?(?:problemas?|erros?|falhas?|sintomas?|o que acontece)
        """),
        "cause": lines(r"""
            (?:a )?(?:causas?|causa raiz|origem)
        """),
        "why": lines(r"""
            (?:por que|por quê|razão|razões|motivação|motivo|contexto|justificativa|vantagens)(?: .*)?
        """),
        "fix": lines(r"""
            (?:a )?(?:solução|soluções|correção|correções)
        """),
        "result": lines(r"""
            (?:resumo|mudanças|alterações|feito|realizado|o que (?:mudou|foi feito).*|arquivos alterados|adicionado|
            removido|corrigido)
        """),
        "outcome": lines(r"""
            (?:resultados?|estado|status|verificação|conclusão)
        """),
        "decision": lines(r"""
            (?:a )?(?:decisão|decisões|decidido)
        """),
        "rule": lines(r"""
            (?:regras?|convenções|convenção|normas?|importante)
        """),
        "concept": lines(r"""
            (?:visão geral|arquitetura|definição|definições|conceitos?|como funciona.*)
        """),
        "step": lines(r"""
            (?:passos|procedimento|instruções|uso|instalação|como .*)(?: .*)?
        """),
        "open": lines(r"""
            (?:pendente|pendentes|próximos passos|perguntas abertas|a fazer)
        """),
        "proposal": lines(r"""
            (?:.*\b)?(?:opções|opção|propostas?|recomendação|recomendações|alternativas?|plano|ideias?)\b.*
        """),
    },
)
