"""Owns what the extractor knows of English."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue, lines, words

ENGLISH = Tongue(
    code="en",
    parts={
        "past": lines(r"""
            added|removed|fixed|updated|changed|renamed|created|deleted|moved|replaced|implemented|refactored|
            extracted|introduced|dropped|switched|migrated|converted|merged|rewrote|rewritten|wrote|written|
            simplified|consolidated|improved|extended|reverted|restored|enabled|disabled|configured|documented|
            committed|pushed|released|published|upgraded|downgraded|bumped|split|integrated|wired|exposed|unified|
            deduplicated|cleaned up|set up|made|stopped|started|registered|applied|adjusted|corrected|resolved|
            eliminated|reduced|increased|hardened|installed|built|deployed|ported|inlined|deprecated|reworked|
            reorganised|reorganized|tightened|pinned|measured|tested|verified|confirmed|reproduced|benchmarked|
            raised|lowered|capped|limited|escaped|quoted|sorted|wrapped|forwarded|routed|granted|revoked|encrypted|
            compressed|cached|hid|turned|swapped|inverted|rotated|rebased|closed|opened|bound|grouped|shortened|clarified
        """),
        "do": lines(r"""
            add|remove|fix|update|change|rename|create|delete|move|replace|implement|refactor|extract|introduce|drop|
            switch|migrate|convert|merge|rewrite|write|simplify|improve|extend|revert|restore|enable|disable|
            configure|document|commit|push|release|upgrade|use|make|run|check|review|explain|show|tell|give|find|look|
            investigate|test|verify|build|set|keep|put|wrap|brainstorm|summari[sz]e|compare|reduce|print|list|help|
            try|open|close|reply|start|stop|get|do|ensure|prepare|design|plan|draft|analy[sz]e|debug|reproduce|port|
            split|give|store|track|calculate|compute|display|scope|filter|pass|parse|handle|prevent|require|define|
            wait|avoid|don't|do not|accept|apply|assume|clean|copy|detect|ignore|include|exclude|install|launch|
            persist|query|rebuild|register|resolve|retry|reuse|scan|select|send|skip|squash|stash|strip|submit|treat|
            trim|truncate|validate|warn|extract|spawn|rebase|merge|pull|fetch|clone|tag|deploy|download|upload|edit|restart|reload|enter|press|click|allow|expose|integrate|group|sort|
            stage|rerun|double[- ]check
        """),
    },
    function_words=words("""
        a about above actually after again all almost already also always am an and another any anything are
        as at back be because been before being below between both but by can can't cannot could did didn't do
        does doesn't doing don't done down each either else etc even every few first for from further get gets
        getting got had has have having he her here hers him his how however i i'd i'll i'm i've if in instead
        into is isn't it it's its itself just last least let let's like lot made make makes many may me might
        more most much must my myself need needs neither never new next no nor not nothing now of off ok okay
        on once one only or other others our ours out over own per please put rather really s same see set she
        should shouldn't since so some something still such t take than that that's the their theirs them then
        there there's these they they're thing things this those through to too try under until up upon us use
        used uses using very via want wants was wasn't way we we'd we'll we're we've well were weren't what
        what's when where whether which while who whom whose why will with within without won't would wouldn't
        yes yet you you'd you'll you're you've your yours
    """),
    hollow=words("""
        active actual added answer approach assistant behavior behaviour branch bug build case cases cause
        change changes check checks code codebase command commit commits concern condition conflict conflicts
        current data detail details diff difference directory distinction download effect effort error errors
        example existing explanation fact feature feedback field file files finding findings fix fixes flow
        folder function functions future goal idea impact implementation important input insight issue issues
        item items key kind language line lines lint linter list logic main message method missing name new
        note number old only option options original other output part path pattern plan point points possible
        pr previous problem problems process prompt pull purpose question question's real reason remaining
        repo repository request response result results review risk fields root rule rules same scenario scope script
        second section session setting settings situation solution spec state statement status step steps
        strategy string structure suggestion suite summary system task test tests text thing third ticket time
        tool type update usage user users value variable version warning whole work worktree
    """),
    vague_heads=words("""
        answer approach beginning bit bunch call case change check count detail details difference differences
        edit edits end entries entry example failure failures finding findings fix group idea info information
        issue item items kind line lines list log logs lot matter message name number operation operations
        option options output part pass piece point problem question reason reply response rest result results
        review run runs scenario scenarios section set side sort start state status step steps string test
        tests text thing total type value warning warnings way work
    """),
    kinds_of_name=words("""
        argument attribute class column command constant enum env field file flag function handler helper hook
        interface key method module option package parameter property script setting struct table type
        variable
    """),
    starts_dropped=lines(r"""
        (?:oh|ah|hm+|uh|um|hey|hi|hello|so|ok|okay|well|right|alright|all right|now|then|great|perfect|excellent|nice|
        awesome|wonderful|fantastic|cool|sure|certainly|absolutely|definitely|indeed|exactly|correct|agreed|
        understood|noted|interesting|actually|basically|essentially|yes|yep|yeah|yup|no|nope|done|fixed|finished|
        complete|completed|pushed|committed|confirmed|got it|found it|found the (?:issue|bug|problem|cause|
        root cause)|all done|all good|all clean|all set|makes sense|that makes sense|that's right|that's correct|
        fair enough|fair point|true|thanks|thank you|sorry|my bad|implementation complete|success|looks good|lgtm|
        to (?:answer|summari[sz]e)(?: your question)?|in (?:short|summary)|one (?:more )?question|question|
        one last (?:thing|modification)|thinking again|taking a step back|one more thing|also|wait|hold on|
        key (?:insight|finding|point)|quick note|note|important)(?:\s*[.,!:;–—-]+\s*|\s+(?=(?:so|ok|okay|then|now|yes|
        no)\b))
        (?:good|great|excellent|nice|fair|valid|interesting|smart|solid|important)\s+(?:question|point|points|catch|
        idea|call|thinking|find|observation|suggestion|instinct|eye)(?:s)?\s*(?:[.,!:;–—-]+\s*|$)
        (?:that's|this is) an? (?:really |very )?(?:good|great|excellent|nice|fair|valid|interesting|strong|
        clever) (?:question|point|catch|idea|call|signal|observation|suggestion)\s*(?:[.,!:;–—-]+\s*|$)
        you(?:'re| are)(?: absolutely| completely| totally| quite)? (?:right|
        correct)(?: to \w+(?: \w+){0,3})?\s*(?:[.,!:;–—-]+\s*|$)
        (?:tests?|everything|all(?: the)?(?: unit| integration)? tests?|build|lint|linting|both)(?: and (?:lint|
        linting|build))? (?:pass(?:es|ed)?|succeeds|is clean|works?)\s*[.,!]\s*
        (?:and|but|so|because)\s+(?=(?:the|a|an|`|we|you|users?)\b)
        (?:i|we)(?:'ve|’ve| have)?(?: also| now| just| successfully| already)*\s+(?=(?:<past>)\b)
    """),
    starts_chatter=lines(r"""
        let me\b
        let us (?:look|see|check|start|begin|take)\b
        let's (?:see|look|check|start|begin|continue|move on|try|run|verify|take a look|go ahead|do (?:it|this|
        that))\b
        (?:now|next|first|then|finally|okay|so)?,?\s*(?:i'll|i will|i'm going to|i am going to|i'm now|i'd now)\b
        (?:now|next|first|then),?\s+(?:let me|let's|let us|i|we|to|for|update|add|remove|fix|run|check|create|look|
        verify|find|read|test|write|implement|search|commit|push|apply|move|the)\b
        (?:i|we) (?:also )?(?:need to|have to|should(?: also)?|must|want to|can (?:now )?(?:see|proceed)|can also|
        think|believe|guess|see|notice|noticed|understand|realize|realise|wonder|appreciate|apologi[sz]e|have all|
        have (?:a|the|enough|everything|good|two|three|several)|now have|just|was|am|don't (?:see|have|think)|could|
        would|can|may|might|hope|made an? (?:mistake|error)|missed|misread|misunderstood|forgot|got)\b
        i (?:now )?(?:have|understand|see)\b
        i(?:'m| am) (?:using|now|going|sorry|ready|happy|not|still|currently|trying|working|also)\b
        looking (?:at|into|for|more)\b
        (?:checking|reading|searching|running|updating|adding|fixing|continuing|starting|waiting|proceeding|moving on|
        investigating|reviewing|creating|committing|pushing|verifying|testing|trying|implementing)\b[^.]*$
        here(?:'s| is| are)\b
        here you go\b
        (?:would|do|should|shall|can|could) (?:you|i|we) (?:like|want|prefer|have|go ahead|proceed|add|make|update|
        implement|fix|also)\b.*\?
        (?:want|like|need) me to\b
        (?:ready|anything|what) (?:to|else|would you|do you|should we)\b.*\?
        (?:please )?(?:let me know|feel free|tell me if)\b
        (?:if|once|when) you(?:'d| would)? (?:like|want|prefer|are ready|confirm)\b
        (?:hello|hi|hey|good morning|good afternoon|good evening|welcome|greetings)\b[^.]{0,40}$
        (?:thanks|thank you|sorry|apologies|my apologies|my mistake|my bad|oops|whoops)\b
        (?:sounds|looks) (?:good|great|like)\b
        (?:great|perfect|excellent|awesome|nice|good|interesting|wait|hmm+|ok|okay|sure|got it|found it|done|exactly|
        absolutely|of course|makes sense|understood|yes|no)\b[\s,!.–—-]{1,4}(?:let me|now|i'll|i will|i see|i need|
        i can|i'm|that)\b
        based on (?:my|the|this|your|what)\b
        (?:as|like) (?:you|i) (?:said|mentioned|noted|can see|requested|suggested)\b
        (?:same|similar) (?:issue|problem|thing|here)\b
        the (?:file|test|tests|linter|lint|build|diff|output|agent|agents|diagnostics?|compiler|ide) (?:is|are|was|
        were|shows?|complains?|has|have|looks?|needs?|also|passed|passes?|failed|fails?|still|ran|got)\b
        no response (?:requested|needed)\b
        (?:still|almost) (?:slow|failing|running|there)\b
        (?:what's|what is) (?:your|next)\b
        need to\b
        time to\b
        (?:this|that)(?:'s| is| looks| sounds| makes| should| will| would)? (?:a )?(?:good|great|fine|perfect|better|
        cleaner|correct|expected|helpful|strange|odd|weird|interesting|sense|fix|work)\b
        (?:there|it)(?:'s| is| seems| looks| appears)? (?:a )?(?:pre-existing|unrelated|still|good)\b
        continu(?:e|ing)\b
        (?:it )?(?:looks|seems|appears) (?:like|that|to)\b
        (?:great|good|perfect|excellent|awesome|nice)[,!. ]
        (?:everything|all(?: the)? (?:changes|todos|tasks))\b.{0,40}(?:complete|done|clean|up to date|in place|
        works?)\b
        (?:summary|example|output|before|after|result|results|usage|note|status|options?|changes?)\s*:?\s*$
        which (?:approach|option|one|would)\b
        (?:the )?(?:following|above|below)\b
        you can (?:now )?(?:test|try|verify|see|check|run it|run this|view)\b
        try (?:it|this|that|again|running)\b
    """),
    starts_dangling=lines(r"""
        (?:it|its|this|that|these|those|they|them|their|he|she|his|her|such|same|both|either|neither|the (?:same|
        former|latter|above|other|others|following|second|first|third|last|rest|two|three|remaining|only|real|key|
        main|actual))\b(?!\s+`)
        (?:it|this|that|these|those|they|there)(?:'s|'re|'ll| is| are| was| were)\b(?=.{0,25}$)
        (?:but|and|or|so|whether|however|also|then|otherwise|instead|therefore|thus|hence|which|similarly|likewise|
        additionally|furthermore|moreover|meanwhile|still|yet|even|not|except|plus|hopefully|maybe|perhaps|
        unfortunately|fortunately|specifically|currently|that way|this way|in (?:this|that) case|for (?:this|that)|
        after (?:this|that)|at (?:this|that) point|with (?:this|that|these)|here|there(?:'s| is| are)? (?:also|no|
        another|still))\b
        (?:is|are|was|were|does|do|did|has|have|can|could|will|would|should|cannot|can't|doesn't|didn't|isn't|aren't|
        won't|couldn't)\b
        (?:for|in|on|with) the (?:first|second|third|last|other)(?: one)?\b
        (?:first|second|third|finally|lastly|next|secondly|thirdly)\b,?
        (?:verifies|ensures|creates|returns|handles|prevents|contains|stores|reads|writes|adds|removes|deletes|calls|
        checks if|checks whether|checks that|uses|walks|scans|sets|gets|finds|loses|keeps|shows|displays|prints|
        parses|extracts|detects|identifies|allows|supports|requires|includes|takes|gives|makes|covers|documents|saves|
        loads|wraps|skips|passes|collects|supports|asserts|simulates|calculates|computes|combines|merges|provides|
        follows|avoids|works|runs|falls back|tracks|maps|moves|copies|lists|happens|means|satisfies|preserves|
        validates|confirms|eliminates|improves|reduces|enables|triggers|produces|builds|generates|represents|
        implements|updates (?:the|only|all)|logs (?:the|a|an|errors?|each|all|when|if|\"))\b
        (?:in|on|at|from|to|for|by|of|with) (?:it|this|that|these|those|both|there|here)\b
        (?:option|step|phase|approach|point|item|number|line|lines|test|case|scenario|problem|issue|bug|task|
        p)\s*#?\d+\b
        (?:the )?user (?:runs?|works?|closes|opens|starts|types|clicks|makes|commits|resets|creates|switches|checks|
        presses|says|edits|adds|sees|continues)\b
        (?:comprehensive|excellent|thorough|solid|elegant|clever|clear(?= \w+(?:tion|ing|ment|ity|ness|ure|
        es)\b)) (?!the |a |an |all )\w+
        #?\d+\s*(?:,|and|&|\+)\s*#?\d+\b
    """),
    starts_request=lines(r"""
        (?:please|pls|kindly)\b[,:]?\s*
        (?:can|could|would|will) (?:we|you|i|u)(?: please| maybe| also| now| then| just| not| simply| quickly)*\b\s*
        (?:i|we)(?:'d| would)? (?:also )?(?:like|love|want|need|prefer)(?: you)? (?:to|if we|that we)\b\s*
        (?:let's|lets|
        let us)(?: now| also| then| maybe| please| just| completely| fully| simply| start by| start)*\b\s*
        (?:we|you|i)(?: also| probably| really)? (?:should|need to|have to|must|
        ought to)(?: also| probably| now| be(?= \w+ing\b))*\b\s*
        (?:we|you) (?:could|can)(?: also| maybe)*\b\s*
        (?:what if|how about) we\b\s*
        (?:the )?(?:next|first|last) (?:step|thing|task) (?:is|would be) to\b\s*
        (?:now|then|next|also|and|so|but|maybe|ok|okay|yes|yeah|instead|actually|perhaps|hmm+|ah|first)\b[,:]?\s+
        i (?:would|think we should|think you should|guess we should|suggest (?:we|you|to))\b\s*
        (?:implement|execute|follow|do) the following(?: plan| steps| changes)?\s*:\s*
        (?:have|take) a look at\b\s*
        (?:do|are|is) (?:you|it) (?:able|possible) to\b\s*
        there should be\b\s*
        (?:just|simply)\b\s*
        (?:go ahead and|make sure (?:to|that)|try to|help me(?: to)?)\b\s*
    """),
    starts_imperative=lines(r"""
        (?:<do>)\b
    """),
    starts_chore=lines(r"""
        (?:commit|push|reply|respond|rebase|squash|pull|fetch|merge|rerun|continue|proceed|summari[sz]e)\b
        (?:again|manually)\b
        (?:look at|take a look|work on)\b(?=.{0,24}$)
        (?:check that|double[- ]check)\b
        (?:are|is) (?:the|there) .*\b(?:comments?|reviews?|feedback)\b
    """),
    starts_setting=lines(r"""
        (?:when(?:ever)?|if|after|before|given|unlike|once|since|while|although|though|because|as|for|in|on|at|with|
        without|by|to|during|until|unless|under|from|per|by the time|even (?:if|though)|as (?:long|soon) as)\b
    """),
    starts_question=lines(r"""
        (?:what|why|how|when|where|which|who|whose|is|are|was|were|do|does|did|has|have|can|could|should|shall|would|
        will|won't|isn't|aren't|doesn't|don't|didn't|wouldn't|shouldn't|couldn't)\b
    """),
    starts_wondering=lines(r"""
        (?:and |so |but |ok(?:ay)?,? |hm+,? )?(?:what (?:is|are|does|do|happens|was|were|would happen)|what's|why|
        how (?:is|are|does|do|did|would|will|can)(?! (?:you|we|i) (?:add|make|implement|fix|do|improve|check))|
        where (?:is|are|does|do)|when (?:is|are|does|do|would|will)|which|who|(?:can|could) you (?:please )?explain|
        explain|what do(?:es)?)\b
    """),
    starts_result=lines(r"""
        .{3,160}\bi(?:'ve|’ve| have)?(?: also| now| just)* (?:<past>)\b
        (?:all |both )?(?:the )?[\w`./()'’ -]{2,60}? (?:(?:has|have) been|(?:is|are) now) (?:<past>)\b
        (?:the |`)?[\w`./()'’ -]{2,60}? (?:now|no longer) \w+
        (?:the )?(?:fix|solution|change|approach|workaround) (?:is working|works|worked)\b
    """),
    starts_done=lines(r"""
        (?:i|we)(?:'ve| have)?(?: also| now| just| successfully| already)* (?:<past>)\b
        (?:also |now |successfully )?(?:<past>)\b(?! (?:and|or|by|in|on|as) )
    """),
    starts_claim=lines(r"""
        (?:the )?(?:real |actual |core |main |root |key |underlying |only |current |remaining )*(?:problem|issue|bug|
        cause|reason|root cause|concern|insight|point|catch|trick|result|fix|solution|answer|idea|difference|gap|
        finding|thing|question|culprit)(?: here| now)? (?:is|was|being)(?: that| because| to)?\b:?,?\s*
        (?:most )?(?:likely|probably|apparently|presumably)(?: that)?\b,?\s*
        (?:the )?(?:root cause|problem|issue|bug|cause|reason|fix|solution|gotcha|caveat|symptom|decision|rule|note|
        summary|plan|feature|task|question|result|finding|key (?:insight|finding|point)|goal|overview|
        conclusion)(?:\s*#?\d+)?\s*[:–—-]\s*
        (?:this|it|that) (?:happens|happened|fails|failed|occurs|occurred|broke|breaks|is|was) (?:because|since|
        when)\b\s*
        (?:i|we)(?:'ve| have)?(?: also| now| just| successfully| already)*\s+(?=(?:<past>)\b)
        (?:i|we) (?:found|noticed|see|realized|discovered|learned|confirmed|verified|think|
        believe)(?: out)?(?: that)?\b\s*
        (?:it turns out|turns out|it seems|it looks like|looks like|seems like|note|remember|keep in mind|be aware|
        it appears)(?: that)?\b,?\s*
        (?:we|the team|they|i) (?:decided|agreed|chose|settled|opted)(?: to| that| on| for| against)?\b\s*
        (?:now|currently|today|right now|at the moment|so|then|also)\b,?\s*
        you can (?:now )?
        (?:how )?to (?=[a-z])
    """),
    continues=lines(r"""
        (?:it|they|this|that|we|you|i|he|she|otherwise)\b
        (?:which|so(?: that)?|but|because|since|instead(?: of)?|rather than|due to|unlike|preventing|causing|making|
        leading|returning|even (?:if|though|when)|while|whereas|where|whose|regardless|including|such as|e\.g\.|
        i\.e\.|and then|and (?:it|they|this|that|we|i|you|the|a|only|not|no)|not|as|though|although|unless|however|
        (?:see|per|like|especially|particularly|resulting|ensuring|allowing|using|matching)\b)\b
    """),
    request=lines(r"""
        \bplease\b
        \b(?:can|could|would) (?:you|we|u)\b
        \b(?:i|we)(?:'d| would)? (?:like|love|want|need) (?:you |us )?to\b
        \b(?:i|we)(?:'d| would) (?:like|love|prefer)\b
        \blet'?s\b
        \bwe (?:should|need to|have to|must)\b
        \b(?:should|shall) we\b
        \bwhat (?:if|about)\b
        \bhow about\b
        \bthere should be\b
        \bconsider (?:\w+ing)\b
        ^(?:<do>)\b
    """),
    decision=lines(r"""
        \b(?:we|i|team) (?:have |'ve )?(?:decided|agreed|chose|picked|settled on|opted)\b
        \b(?:design |final |our )?decision (?:is|was|to)\b
        \b(?:was|were|is|are) (?:chosen|rejected)\b
        \b(?:is|are) (?:deliberate|intentional|by design|on purpose|deliberately)\b
        \bwe(?:'ll| will| are going to) (?:go with|stick with|keep|use|drop|set aside)\b
        \b(?:we|i) (?:went with|stuck with|chose)\b
    """),
    wish=lines(r"""
        \blet'?s (?:\w+ )?(?:go with|stick with|keep|drop|remove|use|replace|switch|skip|leave|not|only|avoid|prefer|
        rename|default|store|move|make|set|call|hide|disable|enable|delete|get rid|revert|change)\b
        \b(?:we'll|we will|we should|i'd|i would|we must) (?:\w+ )?(?:go with|stick with|keep|drop|remove|use|replace|
        switch|skip|leave|not|only|avoid|prefer|rename|default|store|move|make|set|be using|also keep)\b
        \b(?:i|we)(?:'d| would)? (?:rather|prefer)\b
        \bwe (?:keep|stay with|stick with|go with|drop)\b
        \bno need to\b
        \bi want (?:to (?:replace|switch|drop|remove|keep|change|only|be|inform)|it to)\b
        \bwe (?:don't|do not) (?:want|need|support|use|have)\b
        \bshould (?:not|never|always|only|be|default|stay|remain|live)\b
    """),
    contrast=lines(r"""
        \binstead(?: of)?\b
        \brather than\b
        \bno longer\b
        \breplac(?:e|es|ed|ing)\b.+\b(?:with|by)\b
        \b(?:switch(?:ed)?|migrat(?:e|ed))\b.+\b(?:from|to)\b
        \bmov(?:e|ed)\b.+\bfrom\b.+\bto\b
        \bin favou?r of\b
        \b(?:go|stick|went|stuck) with\b.+\b(?:not|over|because|since|for)\b
    """),
    preference=lines(r"""
        \bnot\b.{2,60}\bbut\b
        \bover (?:the|a|an)\b
        \b(?:go|stick|went|stuck) with\b
        \bprefer\b
        \b(?:don't|do not|shouldn't|should not|never|only)\b
        \bby default\b
    """),
    rule=lines(r"""
        ^(?:always|never)\b
        (?:^if .{3,60}, |\bbut |; )(?:please )?(?:always|never) (?:<do>|exit|return|fail)\b
        \b(?:we|you|one|users?|agents?|please|should|must|shall)(?: should| must)? (?:always|never) \w+
        \b(?:must|shall|mustn't)(?: not)? (?:be|have|use|go|stay|run|come|keep|match|pass|stand|never|always|only)\b
        \b(?:do not|don't) (?:ever )?(?:use|commit|push|add|edit|change|call|run|write|put|store|rely|touch|mock|skip|
        share|merge|import|log|cast|create|remove|delete)\b
        \b(?:make sure|ensure|be sure|remember) (?:to|that|you)\b
        \bunder no circumstances\b
        \b(?:is|are) (?:not allowed|forbidden|required|mandatory|prohibited)\b
        \b(?:every|each|all|any) .{2,40}\b(?:must|should|has to|have to|needs? to)\b
        \bonly (?:ever )?(?:use|when|if|from|by)\b
        \bavoid \w+ing\b
    """),
    problem=lines(r"""
        \b(?:the|a|this) (?:\w+ ){0,2}(?:issue|problem|bug|gotcha|caveat|pitfall|limitation|race|regression|leak)\b
        \bfail(?:s|ed|ing|ure)?\b
        \bbreak(?:s|ing)?\b|\bbroke\b|\bbroken\b
        \b(?:doesn't|does not|didn't|did not|don't|won't|can't|cannot|isn't|wasn't|aren't) \w+
        \b(?:crash|hang|deadlock|panic|corrupt|overwrit|truncat|leak|duplicat|mismatch|inconsisten|orphan|stale)\w*\b
        \bwrong(?:ly)?\b|\bincorrect(?:ly)?\b|\bunexpected(?:ly)?\b|\bsilently\b|\bmisleading\b|\bmissing\b
        \blos(?:e|es|t|ing)\b
        \bundefined\b|\bnon-?deterministic\w*|\bcircular\b|\bunused\b|\binflated\b|\bdouble-count\w*
        \berrors?\b
        \bnever\b
    """),
    cause=lines(r"""
        \bbecause\b
        \bdue to\b
        \broot cause\b
        \b(?:is|was|are|were) caused by\b
        \bthe (?:\w+ )?(?:reason|cause|culprit)\b
        \bthe (?:issue|problem|bug) (?:is|was)\b
        \bwhich (?:means|causes|caused|leads|led|breaks|makes|would|results?)\b
        \bthis (?:causes|caused|means|happens|leads|led|breaks|creates|results?|inconsistency|mismatch)\b
        \b(?:so|and) (?:the|it) .{2,60}\b(?:fails?|never|breaks?|cannot|can't|doesn't)\b
        \bsince\b
        \bso that\b
    """),
    fix=lines(r"""
        \bthe (?:\w+ )?(?:fix|solution|workaround|remedy) (?:is|was) (?:to|simple|that)\b
        \bfixed by\b
        \bto (?:fix|avoid|prevent|work around|solve) (?:this|it|that)\b
        \bcan be (?:fixed|avoided|solved)\b
        \bwork ?around\b
    """),
    concept=lines(r"""
        (?<=\s)(?:is|are)\s
        (?<=\s)(?:means|refers to|represents|stands for|describes|contains?|stores?|holds?|tracks?|lists|
        consists? of|lives? in|serves?|acts? as|points? to|identif(?:y|ies)|records?|captures?|provides?|handles?|
        returns?|creates?|reads?|writes?|uses?|runs?|keeps?|saves?|maps?|controls?|defines?|determines?|works?|
        happens?|supports?|requires?|takes?|gives?|sets?|allows?|lets?|ensures?|prevents?|includes?|belongs? to|
        corresponds? to|depends? on|cannot|can't|doesn't|does not|don't|do not|never|always|only)\b
    """),
    verbs=lines(r"""
        \b(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|hasn't|haven't|can|can't|cannot|could|must|shall|
        should|will|won't|would|may|does|doesn't|do|don't|did|didn't|needs?|means|contains|stores|holds|tracks|
        lists|consists|lives|acts|points|identifies|records|captures|provides|handles|returns|creates|reads|writes|
        uses|runs|keeps|saves|maps|controls|defines|determines|works|happens|supports|requires|takes|gives|sets|
        allows|lets|ensures|prevents|includes|belongs|depends|fails|breaks|crashes|loses|overwrites|ignores|skips|
        gets|goes|comes|stays|remains|becomes|calls|checks|walks|scans|drops|adds|removes|deletes|updates|expects|
        assumes|tries|waits|blocks|sends|waits|looks|shows|leaves|starts|stops|ends|opens|closes|follows|causes|
        leads|makes|only|never|always)\b
    """),
    open=lines(r"""
        \b(?:todo|tbd|fixme)\b
        \bnot (?:yet|done|implemented|supported|covered)\b
        \b(?:left|leave|leaving|deferred?|postponed?|skipped?|keep|move) (?:\w+ ){0,3}(?:for|to|until) (?:a |
        the )?(?:later|future|another|follow|now|next)\b
        \b(?:follow[- ]up|future (?:work|exercise|pr|change|improvement)|next step|out of scope|open question)\b
        \bremains? (?:to be|open|unclear|unsolved)\b
        \bstill (?:needs?|fails?|open|missing|has to|have to|to do)\b
    """),
    proposal=lines(r"""
        \b(?:could|would|might|should|may|maybe|perhaps|if we|if you|what if|suggest|recommend|propose|consider|i'd|
        we'd|option|alternatively|either)\b
    """),
    hedge=lines(r"""
        ^consider\b
        \b(?:likely|probably|might|maybe|perhaps|seems?|appears?|apparently|possibly|presumably|i guess|i assume|
        i suspect|could be|may be|not sure|unclear|suspect|in theory|how about|what about|we could say)\b
    """),
    passing_state=lines(r"""
        \b(?:is|are|was|were|isn't|aren't|wasn't|weren't)(?: \w+)? (?!missing|existing|misleading|
        confusing|interesting|surprising|nothing|lacking|outstanding)(?:being|\w+ing)\b
        \b(?:still|already|currently|right now|at the moment|so far|this time|now passes|now fails)\b
        ^now\b|\bready (?:to|for)\b|\bthe pr\b|\bmakes sense now\b
        \b(?:tests?|build|lint|linter|ci) (?:is|are|was|were|now|still|pass|fail|passes|fails|passed|failed)\b
        \b(?:is|are|was|were|gets?|got) (?:removed|added|updated|renamed|fixed|changed|skipped|reverted|replaced|
        moved|deleted now|merged now)\b
        \b(?:this suggests|which suggests|this indicates|looks like|turns out)\b
        →|✅|❌
    """),
    fleeting=lines(r"""
        ^(?:the )?[\w`' /.-]{2,60} (?:is|are)(?: now| all)? (?:complete|completed|done|finished|ready|in place|
        good to go|up to date|mergeable|all set)\b
        \bready (?:to|for) (?:merge|review|commit|use|ship|go)\b
        \bthere(?:'s| is| are) (?:a |an |some )?(?:new|another|one more|significant|still)\b
        ^(?!.*\b(?:when|if|where|because|unless)\b)(?:the )?[\w`/ .'-]{2,50} (?:doesn't|does not|don't|
        do not) exist(?: yet| anymore)?[.!]?(?: \(.*)?$
        ^as expected\b
        ^there(?:'s| is) an? (?:bug|issue|problem) (?:in|with)\b[^,]{0,50}$
        ^the (?:error|output|log|logs|message|trace|diff|test|comment)\b.{0,20} (?:suggests?|indicates?|says?|explains?|
        confirms?)\b
        \bis (?:actually|indeed|fine|correct)\b
        \bthe new (?:\w+ )?(?:code|change|implementation|approach|version)\b
        \b(?:users?|you) (?:said|asked|mentioned|reported)\b
        \bthe (?:last|latest|previous) (?:commit|run|attempt|prompt|message)\b
        \b(?:is working|works now|now works)\b
    """),
    bygone=lines(r"""
        \b(?:was|were|had|did|didn't|wasn't|weren't|hadn't|happened|became|got|went|used to)\b
    """),
    self_reference=lines(r"""
        \b(?:i|i'm|i'll|i've|i'd|me|my|let me)\b
    """),
    passing=lines(r"""
        (?:and |with |all |the |both |unit |integration |full |existing |new |\d+ |of |lint(?:ing|er)?|builds?|
        checks?|tests?|suites?|test:ci|ci|now |still |everything |code |is |are |was |were |has |have |no |issues?|
        errors?|pass(?:es|ed|ing)?|clean(?:ly)?|green|works?|working|correctly|succeed(?:s|ed)?|successful(?:ly)?|
        complete[d]?|done|fixed|implemented|verified|ready|good|fine|compil(?:es|ed)|changes?|work(?:ing)?|
        implementation|tree|pushed|committed|commit(?:ted)?|to|and|with|&|,|!|\.|:|`[^`]*`|\s|✅|✓|-|–|—)+$
    """),
    starts_speaker=lines(r"""
        (?:let's|lets|i|we|you|he|she|my|your|our|i'm|i've|i'd|i'll|we've|we're|you're|be|like|him)\b
        (?:do|did|are|were|have|can|could|will|would|should|is|was)\s+(?:you|i|we|this|that|it|he|she|they|there)\b
    """),
    pointers=lines(r"""
        \b(?:this|these|those|it|its|them|they|their|above|below|following|earlier|previous)\b
        ^(?:that|here|there)\b
        \b(?:that|here|there|both|too|again)$
    """),
    articles=lines(r"""
        (?:the|an?|each|every|all|our|its)\s+
    """),
    breaks=lines(r"""
        (?:because|since|so that|which means|instead of|rather than|due to|but|and then|
        and (?:it|they|this|that|we|the))\s
    """),
    adjuncts=lines(r"""
        (?:without|with|via|using|for|on|in|at|from|into|across|during|through)\s
    """),
    ends_idle=lines(r"""
        \s+(?:exactly|only|simply|just|mainly|probably|precisely|likely|partly|then|anyway|too|now)
        \s*\((?:at )?lines?\s*\d[^)]*\)
        \s+(?:that|which) \w+s
        [,;]?\s+(?:so |and )?(?:can|could|would) (?:you|we|i)\b[^,]*
    """),
    headings={
        "problem": lines(r"""
            (?:the )?(?:core |main |actual |real |current |original |key )*(?:problems?|issues?|bugs?|symptoms?|
            errors?|failures?|gotchas?|caveats?|limitations?|pitfalls?|
            risks?)(?: found| identified| summary| analysis)?
            what (?:went wrong|broke|breaks|fails|failed)
            bug analysis|known issues
        """),
        "cause": lines(r"""
            (?:the )?(?:root |likely |actual |most likely )*(?:causes?|culprit|diagnosis|explanation)
            why (?:it|this|that) (?:fails|failed|happens|happened|breaks|broke|occurs).*
            what (?:caused|causes) .*
        """),
        "why": lines(r"""
            why(?: (?:it|this|that|not|we|is|are|does|do) .*)?|(?:the )?(?:rationale|reasons?|reasoning|motivation|
            background|why this matters|why)
            key (?:insight|finding)s?|the key insight
        """),
        "fix": lines(r"""
            (?:the )?(?:quick |root cause |proposed |suggested )*(?:fix(?:es)?|solutions?|resolution|workarounds?|
            mitigation|remedy)(?: applied| suggestion| implemented| made)?
            how (?:it was|we|to) fix(?:ed)?.*
        """),
        "result": lines(r"""
            (?:complete |final |quick |brief )*summary(?: of .*)?
            (?:summary of )?(?:all |the |key |code |main |my )*(?:changes?|updates?|modifications?|
            refactoring)(?: made| applied| summary| implemented| so far| complete)?
            what(?:'s| was| is| were| has been|'s been| i| we)? ?(?:been )?(?:changed|did|done|fixed|added|
            implemented|new|updated|removed|works now|renamed)(?: .*)?
            (?:done|completed|implemented|fixed|added|removed|updated|created|renamed|cleaned up|deleted|new|
            implementation(?: summary| complete| details)?|work (?:done|completed)|accomplishments)
            (?:new |key |modified |changed |updated |created |
            deleted )*files?(?: changed| modified| created| updated| added| touched)*
            (?:new |updated |added )*(?:tests?|features?|functions?|methods?)(?: added| updated| created)?|now|after|
            (?:fixes|changes|improvements) (?:applied|made)
        """),
        "outcome": lines(r"""
            (?:the |final |end |test |overall )*(?:results?|outcomes?|verification|status|verdict|conclusion|
            state)(?: summary)?
            (?:pr|commit|release)(?: link| url)?
        """),
        "decision": lines(r"""
            (?:the )?(?:design |final |key |main |architectural )*decisions?(?: made)?|decided|we decided|
            chosen (?:approach|option|solution)|agreed|what we decided
        """),
        "rule": lines(r"""
            (?:the |key |hard |coding |team |golden )*(?:rules?|conventions?|guidelines?|polic(?:y|ies)|requirements?|
            do'?s and don'?ts|invariants?)
            always|never|must|do|don'?t
        """),
        "concept": lines(r"""
            what (?:it|this|that) (?:is|does|means|stores)|how (?:it|this|that) works?(?: now)?
            (?:the |key |core |current |high-level |target )*(?:overview|architecture|concepts?|definitions?|
            terminology|terms|glossary|design|model|data model|behaviou?r|flow|lifecycle|structure|components?|
            mechanism|differences?|distinction|findings?)(?: between .*)?
            what .{2,40} (?:is|are|does|do|means?)|how .{2,40} works?
        """),
        "step": lines(r"""
            (?:the |manual |test |reproduction |setup |install(?:ation)? |verification )*(?:steps?|instructions?|
            usage|procedure|workflow|recipe|how-?to|quick start|commands?|runbook)(?: to .*)?
            how to .*|to (?:run|test|build|use|install|reproduce|release|deploy|verify) .*|running .*|usage.*
        """),
        "open": lines(r"""
            (?:suggested |recommended )*next steps?(?: .*)?|next|remaining(?: .*)?|to-?dos?|open (?:questions?|
            issues?|points?|items?)|follow[- ]?ups?|future(?: work| improvements?)?|not (?:yet )?(?:done|implemented|
            covered)|out of scope|still (?:open|to do)|deferred|skipped|blockers?|pending
        """),
        "proposal": lines(r"""
            (?:the |key |main )?(?:benefits?|advantages?)(?: .*)?
            (?:.*\b)?(?:options?|recommendations?|recommended|proposals?|proposed|suggestions?|suggested|
            approach(?:es)?|alternatives?|plan|ideas?|brainstorm(?:ing)?|trade-?offs?|considerations?|questions?|
            nice-to-have|optional)\b.*
            what (?:it|this|that|each test) (?:tests?|verifies|checks)|test(?:s|
            ing)?(?: coverage| cases?| scenarios?)?|(?:pros|cons|effort|cost|complexity|my (?:take|recommendation|
            opinion)|verdict|strengths?|positive .*|what (?:would|needs|could|should) .*|changes (?:needed|required)|
            required changes|files to (?:modify|change|create)|implementation plan|example(?:s)?(?: .*)?|before|
            todo files)
            (?:.*\b)?(?:review|findings)\b.*
        """),
    },
)
