"""Owns what the extractor knows of English."""

from __future__ import annotations

from pipeline.models.extractive.tongues.tongue import Tongue

_PAST = (
    "added|removed|fixed|updated|changed|renamed|created|deleted|moved|replaced|implemented|refactored|extracted|"
    "introduced|dropped|switched|migrated|converted|merged|rewrote|rewritten|wrote|written|simplified|consolidated|"
    "improved|extended|reverted|restored|enabled|disabled|configured|documented|committed|pushed|released|published|"
    "upgraded|downgraded|bumped|split|integrated|wired|exposed|unified|deduplicated|cleaned up|set up|made|"
    "stopped|started|registered|applied|adjusted|corrected|resolved|eliminated|reduced|increased|hardened|"
    "installed|built|deployed|ported|inlined|deprecated|reworked|reorganised|reorganized|tightened|pinned|"
    "measured|tested|verified|confirmed|reproduced|benchmarked"
)

_DO = (
    "add|remove|fix|update|change|rename|create|delete|move|replace|implement|refactor|extract|introduce|drop|"
    "switch|migrate|convert|merge|rewrite|write|simplify|improve|extend|revert|restore|enable|disable|configure|"
    "document|commit|push|release|upgrade|use|make|run|check|review|explain|show|tell|give|find|look|"
    "investigate|test|verify|build|set|keep|put|wrap|brainstorm|summari[sz]e|compare|reduce|print|list|help|try|"
    "open|close|reply|start|stop|get|do|ensure|prepare|design|plan|draft|analy[sz]e|debug|reproduce|port|split"
)

ENGLISH = Tongue(
    code="en",
    function_words=frozenset(
        "a about above actually after again all almost already also always am an and another any anything are as at "
        "back be because been before being below between both but by can can't cannot could did didn't do does "
        "doesn't doing don't done down each either else etc even every few first for from further get gets getting "
        "got had has have having he her here hers him his how however i i'd i'll i'm i've if in instead into is isn't "
        "it it's its itself just last least let let's like lot made make makes many may me might more most much must "
        "my myself need needs neither never new next no nor not nothing now of off ok okay on once one only or other "
        "others our ours out over own per please put rather really s same see set she should shouldn't since so some "
        "something still such t take than that that's the their theirs them then there there's these they they're "
        "thing things this those through to too try under until up upon us use used uses using very via want wants "
        "was wasn't way we we'd we'll we're we've well were weren't what what's when where whether which while who "
        "whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're you've your "
        "yours".split()
    ),
    hollow=frozenset(
        "active actual added answer approach assistant behavior behaviour branch bug build case cases cause change changes check checks "
        "code codebase command commit commits concern condition current data detail details difference diff directory "
        "distinction download "
        "effect effort error errors example existing explanation fact feature feedback field file files finding "
        "findings fix fixes flow folder function functions future goal idea impact implementation important input insight "
        "issue issues item items key kind language line lines lint linter list logic main message method missing name new note "
        "number old only previous remaining "
        "option options original other output part path pattern plan point points possible problem problems process "
        "prompt pull "
        "pr purpose question question's real reason repo repository request response result results review risk root "
        "rule rules same conflict conflicts setting settings scenario scope script second section session situation solution spec state statement status "
        "step steps strategy string structure suggestion suite summary system task test tests text thing third ticket "
        "time tool type update usage user users value variable version warning whole work worktree".split()
    ),
    vague_heads=frozenset(
        "part approach thing way reason issue problem change result name number count call check value fix idea point "
        "case line lines side bit piece end start beginning example question answer detail details information info "
        "work step steps difference differences matter kind sort type set group bunch lot total rest option options "
        "state status result results output message text string operation operations section item items entry entries "
        "scenario scenarios edit edits run runs pass test tests log logs warning warnings findings finding failure failures "
        "review response reply list".split()
    ),
    kinds_of_name=frozenset(
        "function method field variable constant struct type flag command file package class module interface option "
        "setting parameter argument helper hook handler script table column key property attribute enum env".split()
    ),
    starts_dropped=(
        r"(?:oh|ah|hm+|uh|um|hey|hi|hello|so|ok|okay|well|right|alright|all right|now|then|great|perfect|excellent|"
        r"nice|awesome|wonderful|fantastic|cool|sure|certainly|absolutely|definitely|indeed|exactly|correct|agreed|"
        r"understood|noted|interesting|actually|basically|essentially|yes|yep|yeah|yup|no|nope|done|fixed|finished|"
        r"complete|completed|pushed|committed|confirmed|got it|found it|found the (?:issue|bug|problem|cause|root cause)|"
        r"all done|all good|all clean|all set|makes sense|that makes sense|that's right|that's correct|fair enough|"
        r"fair point|true|thanks|thank you|sorry|my bad|implementation complete|success|looks good|lgtm|"
        r"to (?:answer|summari[sz]e)(?: your question)?|in (?:short|summary)|one (?:more )?question|question|"
        r"one last (?:thing|modification)|thinking again|taking a step back|one more thing|also|wait|hold on|key (?:insight|finding|point)|quick note|note|important)"
        r"(?:\s*[.,!:;–—-]+\s*|\s+(?=(?:so|ok|okay|then|now|yes|no)\b))",
        r"(?:good|great|excellent|nice|fair|valid|interesting|smart|solid|important)\s+"
        r"(?:question|point|points|catch|idea|call|thinking|find|observation|suggestion|instinct|eye)"
        r"(?:s)?\s*(?:[.,!:;–—-]+\s*|$)",
        r"(?:that's|this is) an? (?:really |very )?(?:good|great|excellent|nice|fair|valid|interesting|strong|clever) "
        r"(?:question|point|catch|idea|call|signal|observation|suggestion)\s*(?:[.,!:;–—-]+\s*|$)",
        r"you(?:'re| are)(?: absolutely| completely| totally| quite)? (?:right|correct)(?: to ask| to question)?"
        r"\s*(?:[.,!:;–—-]+\s*|$)",
        r"(?:tests?|everything|all(?: the)?(?: unit| integration)? tests?|build|lint|linting|both)"
        r"(?: and (?:lint|linting|build))? (?:pass(?:es|ed)?|succeeds|is clean|works?)\s*[.,!]\s*",
        r"(?:and|but|so|because)\s+(?=(?:the|a|an|`|we|you|users?)\b)",
        rf"(?:i|we)(?:'ve|’ve| have)?(?: also| now| just| successfully| already)*\s+(?=(?:{_PAST})\b)",
    ),
    starts_chatter=(
        r"let me\b",
        r"let us (?:look|see|check|start|begin|take)\b",
        r"let's (?:see|look|check|start|begin|continue|move on|try|run|verify|take a look|go ahead|do (?:it|this|that))\b",
        r"(?:now|next|first|then|finally|okay|so)?,?\s*(?:i'll|i will|i'm going to|i am going to|i'm now|i'd now)\b",
        r"(?:now|next|first|then),?\s+(?:let me|let's|let us|i|we|to|for|update|add|remove|fix|run|check|create|look|"
        r"verify|find|read|test|write|implement|search|commit|push|apply|move|the)\b",
        r"(?:i|we) (?:also )?(?:need to|have to|should(?: also)?|must|want to|can (?:now )?(?:see|proceed)|can also|"
        r"think|believe|guess|see|notice|noticed|understand|realize|realise|wonder|appreciate|apologi[sz]e|have all|"
        r"have (?:a|the|enough|everything|good|two|three|several)|now have|just|was|am|don't (?:see|have|think)|could|"
        r"would|can|may|might|hope|made an? (?:mistake|error)|missed|misread|misunderstood|forgot|got)\b",
        r"i (?:now )?(?:have|understand|see)\b",
        r"i(?:'m| am) (?:using|now|going|sorry|ready|happy|not|still|currently|trying|working|also)\b",
        r"looking (?:at|into|for|more)\b",
        r"(?:checking|reading|searching|running|updating|adding|fixing|continuing|starting|waiting|proceeding|moving on|"
        r"investigating|reviewing|creating|committing|pushing|verifying|testing|trying|implementing)\b[^.]*$",
        r"here(?:'s| is| are)\b",
        r"here you go\b",
        r"(?:would|do|should|shall|can|could) (?:you|i|we) (?:like|want|prefer|have|go ahead|proceed|add|make|update|"
        r"implement|fix|also)\b.*\?",
        r"(?:want|like|need) me to\b",
        r"(?:ready|anything|what) (?:to|else|would you|do you|should we)\b.*\?",
        r"(?:please )?(?:let me know|feel free|tell me if)\b",
        r"(?:if|once|when) you(?:'d| would)? (?:like|want|prefer|are ready|confirm)\b",
        r"(?:hello|hi|hey|good morning|good afternoon|good evening|welcome|greetings)\b[^.]{0,40}$",
        r"(?:thanks|thank you|sorry|apologies|my apologies|my mistake|my bad|oops|whoops)\b",
        r"(?:sounds|looks) (?:good|great|like)\b",
        r"(?:great|perfect|excellent|awesome|nice|good|interesting|wait|hmm+|ok|okay|sure|got it|found it|done|exactly|"
        r"absolutely|of course|makes sense|understood|yes|no)\b[\s,!.–—-]{1,4}(?:let me|now|i'll|i will|i see|i need|"
        r"i can|i'm|that)\b",
        r"based on (?:my|the|this|your|what)\b",
        r"(?:as|like) (?:you|i) (?:said|mentioned|noted|can see|requested|suggested)\b",
        r"(?:same|similar) (?:issue|problem|thing|here)\b",
        r"the (?:file|test|tests|linter|lint|build|diff|output|agent|agents|diagnostics?|compiler|ide) "
        r"(?:is|are|was|were|shows?|complains?|has|have|looks?|needs?|also|passed|passes?|failed|fails?|still|ran|got)\b",
        r"no response (?:requested|needed)\b",
        r"(?:still|almost) (?:slow|failing|running|there)\b",
        r"(?:what's|what is) (?:your|next)\b",
        r"need to\b",
        r"time to\b",
        r"(?:this|that)(?:'s| is| looks| sounds| makes| should| will| would)? (?:a )?(?:good|great|fine|perfect|better|"
        r"cleaner|correct|expected|helpful|strange|odd|weird|interesting|sense|fix|work)\b",
        r"(?:there|it)(?:'s| is| seems| looks| appears)? (?:a )?(?:pre-existing|unrelated|still|good)\b",
        r"continu(?:e|ing)\b",
        r"(?:it )?(?:looks|seems|appears) (?:like|that|to)\b",
        r"(?:great|good|perfect|excellent|awesome|nice)[,!. ]",
        r"(?:everything|all(?: the)? (?:changes|todos|tasks))\b.{0,40}(?:complete|done|clean|up to date|in place|works?)\b",
        r"(?:summary|example|output|before|after|result|results|usage|note|status|options?|changes?)\s*:?\s*$",
        r"which (?:approach|option|one|would)\b",
        r"(?:the )?(?:following|above|below)\b",
        r"you can (?:now )?(?:test|try|verify|see|check|run it|run this|view)\b",
        r"try (?:it|this|that|again|running)\b",
    ),
    starts_dangling=(
        r"(?:it|its|this|that|these|those|they|them|their|he|she|his|her|such|same|both|either|neither|the (?:same|"
        r"former|latter|above|other|others|following|second|first|third|last|rest|two|three|remaining|only|real|key|"
        r"main|actual))\b(?!\s+`)",
        r"(?:it|this|that|these|those|they|there)(?:'s|'re|'ll| is| are| was| were)\b(?=.{0,25}$)",
        r"(?:but|and|or|so|because|however|also|then|otherwise|instead|therefore|thus|hence|which|similarly|likewise|"
        r"additionally|furthermore|moreover|meanwhile|still|yet|even|not|except|plus|hopefully|maybe|perhaps|"
        r"unfortunately|fortunately|specifically|currently|that way|this way|in (?:this|that) case|for (?:this|that)|"
        r"after (?:this|that)|at (?:this|that) point|with (?:this|that|these)|here|there(?:'s| is| are)? (?:also|no|"
        r"another|still))\b",
        r"(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should)\b",
        r"(?:first|second|third|finally|lastly|next|secondly|thirdly)\b,?",
        r"(?:verifies|ensures|creates|returns|handles|prevents|contains|stores|reads|writes|adds|removes|deletes|calls|"
        r"checks if|checks whether|checks that|uses|walks|scans|sets|gets|finds|loses|keeps|shows|displays|prints|parses|"
        r"extracts|detects|identifies|allows|supports|requires|includes|takes|gives|makes|covers|documents|saves|loads|"
        r"wraps|skips|passes|collects|supports|asserts|simulates|calculates|computes|combines|merges|provides|follows|avoids|works|runs|"
        r"falls back|tracks|maps|moves|copies|lists|happens|means|satisfies|preserves|validates|confirms|"
        r"eliminates|improves|reduces|enables|triggers|produces|builds|generates|represents|implements|updates (?:the|only|all)|logs "
        r"(?:the|a|an|errors?|each|all|when|if|\"))\b",
        r"(?:in|on|at|from|to|for|by|of|with) (?:it|this|that|these|those|both|there|here)\b",
        r"(?:option|step|phase|approach|point|item|number|line|lines|test|case|scenario|problem|issue|bug|task|p)\s*#?"
        r"\d+\b",
        r"#?\d+\s*(?:,|and|&|\+)\s*#?\d+\b",
    ),
    starts_request=(
        r"(?:please|pls|kindly)\b[,:]?\s*",
        r"(?:can|could|would|will) (?:we|you|i|u)(?: please| maybe| also| now| then| just| not| simply| quickly)*\b\s*",
        r"(?:i|we)(?:'d| would)? (?:also )?(?:like|love|want|need|prefer)(?: you)? (?:to|if we|that we)\b\s*",
        r"(?:let's|lets|let us)(?: now| also| then| maybe| please| just| completely| fully| simply| start by| start)*\b\s*",
        r"(?:we|you|i)(?: also| probably| really)? (?:should|need to|have to|must|ought to)(?: also| probably| now| be(?= \w+ing\b))*\b\s*",
        r"(?:we|you) (?:could|can)(?: also| maybe)*\b\s*",
        r"(?:what if|how about) we\b\s*",
        r"(?:the )?(?:next|first|last) (?:step|thing|task) (?:is|would be) to\b\s*",
        r"(?:now|then|next|also|and|so|but|maybe|ok|okay|yes|yeah|instead|actually|perhaps|hmm+|ah|first)\b[,:]?\s+",
        r"i (?:would|think we should|think you should|guess we should|suggest (?:we|you|to))\b\s*",
        r"(?:implement|execute|follow|do) the following(?: plan| steps| changes)?\s*:\s*",
        r"(?:have|take) a look at\b\s*",
        r"(?:do|are|is) (?:you|it) (?:able|possible) to\b\s*",
        r"there should be\b\s*",
        r"(?:go ahead and|make sure (?:to|that)|try to|help me(?: to)?)\b\s*",
    ),
    starts_imperative=(rf"(?:{_DO})\b",),
    starts_setting=(
        r"(?:when(?:ever)?|if|after|before|given|unlike|once|since|while|although|though|because|as|for|in|on|at|with|"
        r"without|by|to|during|until|unless|under|from|per|by the time|even (?:if|though)|as (?:long|soon) as)\b",
    ),
    continues=(
        r"(?:which|so(?: that)?|but|because|since|instead(?: of)?|rather than|due to|unlike|preventing|causing|making|"
        r"leading|returning|even (?:if|though|when)|while|whereas|where|whose|regardless|including|such as|e\.g\.|i\.e\.|"
        r"and then|and (?:it|they|this|that|we|i|you|the|a|only|not|no)|not|as|though|although|unless|however|"
        r"(?:see|per|like|especially|particularly|resulting|ensuring|allowing|using|matching)\b)\b",
    ),
    starts_wondering=(
        r"(?:and |so |but |ok(?:ay)?,? |hm+,? )?(?:what (?:is|are|does|do|happens|was|were|would happen)|what's|why|"
        r"how (?:is|are|does|do|did|would|will|can)(?! (?:you|we|i) (?:add|make|implement|fix|do|improve|check))|"
        r"where (?:is|are|does|do)|when (?:is|are|does|do|would|will)|which|who|"
        r"(?:can|could) you (?:please )?explain|explain|what do(?:es)?)\b",
    ),
    starts_question=(
        r"(?:what|why|how|when|where|which|who|whose|is|are|was|were|do|does|did|has|have|can|could|should|shall|"
        r"would|will|won't|isn't|aren't|doesn't|don't|didn't|wouldn't|shouldn't|couldn't)\b",
    ),
    starts_done=(
        rf"(?:i|we)(?:'ve| have)?(?: also| now| just| successfully| already)* (?:{_PAST})\b",
        rf"(?:also |now |successfully )?(?:{_PAST})\b(?! (?:and|or|by|in|on|as) )",
    ),
    starts_result=(
        rf"(?:all |both )?(?:the )?[\w`./()'’ -]{{2,60}}? (?:(?:has|have) been|(?:is|are) now) (?:{_PAST})\b",
        r"(?:the |`)?[\w`./()'’ -]{2,60}? (?:now|no longer) \w+",
    ),
    starts_claim=(
        r"(?:the )?(?:real |actual |core |main |root |key |underlying |only |current |remaining )*(?:problem|issue|bug|"
        r"cause|reason|root cause|concern|insight|point|catch|trick|result|fix|solution|answer|idea|difference|gap|"
        r"finding|thing|question|culprit)(?: here| now)? (?:is|was|being)(?: that| because| to)?\b:?,?\s*",
        r"(?:most )?(?:likely|probably|apparently|presumably)(?: that)?\b,?\s*",
        r"(?:the )?(?:root cause|problem|issue|bug|cause|reason|fix|solution|gotcha|caveat|symptom|decision|rule|note|"
        r"summary|plan|feature|task|question|result|finding|key (?:insight|finding|point)|goal|overview|conclusion)"
        r"(?:\s*#?\d+)?\s*[:–—-]\s*",
        r"(?:this|it|that) (?:happens|happened|fails|failed|occurs|occurred|broke|breaks|is|was) (?:because|since|when)\b\s*",
        rf"(?:i|we)(?:'ve| have)?(?: also| now| just| successfully| already)*\s+(?=(?:{_PAST})\b)",
        r"(?:i|we) (?:found|noticed|see|realized|discovered|learned|confirmed|verified|think|believe)(?: out)?(?: that)?\b\s*",
        r"(?:it turns out|turns out|it seems|it looks like|looks like|seems like|note|remember|keep in mind|be aware|"
        r"it appears)(?: that)?\b,?\s*",
        r"(?:we|the team|they|i) (?:decided|agreed|chose|settled|opted)(?: to| that| on| for| against)?\b\s*",
        r"(?:now|currently|today|right now|at the moment|so|then|also|because|since)\b,?\s*",
        r"you can (?:now )?",
        r"(?:how )?to (?=[a-z])",
    ),
    request=(
        r"\bplease\b",
        r"\b(?:can|could|would) (?:you|we|u)\b",
        r"\b(?:i|we)(?:'d| would)? (?:like|love|want|need) (?:you |us )?to\b",
        r"\b(?:i|we)(?:'d| would) (?:like|love|prefer)\b",
        r"\blet'?s\b",
        r"\bwe (?:should|need to|have to|must)\b",
        r"\b(?:should|shall) we\b",
        r"\bwhat (?:if|about)\b",
        r"\bhow about\b",
        r"\bthere should be\b",
        r"\bconsider (?:\w+ing)\b",
        rf"^(?:{_DO})\b",
    ),
    decision=(
        r"\b(?:we|i|team|they) (?:have |'ve )?(?:decided|agreed|chose|picked|settled on|opted)\b",
        r"\b(?:design |final |our )?decision (?:is|was|to)\b",
        r"\b(?:was|were|is|are) (?:chosen|rejected|deliberate|intentional|by design|on purpose|deliberately)\b",
        r"\bwe(?:'ll| will| are going to) (?:go with|stick with|keep|use|drop|set aside)\b",
        r"\b(?:we|i) (?:went with|stuck with|chose)\b",
    ),
    wish=(
        r"\blet'?s (?:\w+ )?(?:go with|stick with|keep|drop|remove|use|replace|switch|skip|leave|not|only|avoid|prefer|"
        r"rename|default|store|move|make|set|call|hide|disable|enable|delete|get rid|revert|change)\b",
        r"\b(?:we'll|we will|we should|i'd|i would|we must) (?:\w+ )?(?:go with|stick with|keep|drop|remove|use|replace|"
        r"switch|skip|leave|not|only|avoid|prefer|rename|default|store|move|make|set|be using|also keep)\b",
        r"\b(?:i|we)(?:'d| would)? (?:rather|prefer)\b",
        r"\bno need to\b",
        r"\bi want (?:to (?:replace|switch|drop|remove|keep|change|only|be|inform)|it to)\b",
        r"\bwe (?:don't|do not) (?:want|need|support|use|have)\b",
        r"\bshould (?:not|never|always|only|be|default|stay|remain|live)\b",
    ),
    contrast=(
        r"\binstead(?: of)?\b",
        r"\brather than\b",
        r"\bno longer\b",
        r"\breplac(?:e|es|ed|ing)\b.+\b(?:with|by)\b",
        r"\b(?:switch(?:ed)?|mov(?:e|ed)|migrat(?:e|ed))\b.+\b(?:from|to)\b",
        r"\bin favou?r of\b",
        r"\b(?:go|stick|went|stuck) with\b.+\b(?:not|over|because|since|for)\b",
    ),
    preference=(
        r"\bnot\b.{2,60}\bbut\b",
        r"\bover (?:the|a|an)\b",
        r"\b(?:go|stick|went|stuck) with\b",
        r"\bprefer\b",
        r"\b(?:don't|do not|shouldn't|should not|never|only)\b",
        r"\bby default\b",
    ),
    rule=(
        r"^(?:always|never)\b",
        r"\b(?:we|you|one|users?|agents?|please|should|must|shall)(?: should| must)? (?:always|never) \w+",
        r"\b(?:must|shall|mustn't)(?: not)? (?:be|have|use|go|stay|run|come|keep|match|pass|stand|never|always|only)\b",
        r"\b(?:do not|don't) (?:ever )?(?:use|commit|push|add|edit|change|call|run|write|put|store|rely|touch|mock|skip|"
        r"share|merge|import|log|cast|create|remove|delete)\b",
        r"\b(?:make sure|ensure|be sure|remember) (?:to|that|you)\b",
        r"\bunder no circumstances\b",
        r"\b(?:is|are) (?:not allowed|forbidden|required|mandatory|prohibited)\b",
        r"\b(?:every|each|all|any) .{2,40}\b(?:must|should|has to|have to|needs? to)\b",
        r"\bonly (?:ever )?(?:use|when|if|from|by)\b",
        r"\bavoid \w+ing\b",
    ),
    problem=(
        r"\b(?:the|a|this) (?:\w+ ){0,2}(?:issue|problem|bug|gotcha|caveat|pitfall|limitation|race|regression|leak)\b",
        r"\bfail(?:s|ed|ing|ure)?\b",
        r"\bbreak(?:s|ing)?\b|\bbroke\b|\bbroken\b",
        r"\b(?:doesn't|does not|didn't|did not|don't|won't|can't|cannot|isn't|wasn't|aren't) \w+",
        r"\b(?:crash|hang|deadlock|panic|corrupt|overwrit|truncat|leak|duplicat|mismatch|inconsisten|orphan|stale)"
        r"\w*\b",
        r"\bwrong(?:ly)?\b|\bincorrect(?:ly)?\b|\bunexpected(?:ly)?\b|\bsilently\b|\bmisleading\b|\bmissing\b",
        r"\blos(?:e|es|t|ing)\b",
        r"\berrors?\b",
        r"\bnever\b",
    ),
    cause=(
        r"\bbecause\b",
        r"\bdue to\b",
        r"\broot cause\b",
        r"\b(?:is|was|are|were) caused by\b",
        r"\bthe (?:\w+ )?(?:reason|cause|culprit)\b",
        r"\bthe (?:issue|problem|bug) (?:is|was)\b",
        r"\bwhich (?:means|causes|caused|leads|led|breaks|makes|would|results?)\b",
        r"\bthis (?:causes|caused|means|happens|leads|led|breaks|creates|results?|inconsistency|mismatch)\b",
        r"\b(?:so|and) (?:the|it) .{2,60}\b(?:fails?|never|breaks?|cannot|can't|doesn't)\b",
        r"\bsince\b",
        r"\bso that\b",
    ),
    fix=(
        r"\bthe (?:\w+ )?(?:fix|solution|workaround|remedy) (?:is|was) (?:to|simple|that)\b",
        r"\bfixed by\b",
        r"\bto (?:fix|avoid|prevent|work around|solve) (?:this|it|that)\b",
        r"\bcan be (?:fixed|avoided|solved)\b",
        r"\bwork ?around\b",
    ),
    concept=(
        r"(?<=\s)(?:is|are)\s",
        r"(?<=\s)(?:means|refers to|represents|stands for|describes|contains?|stores?|holds?|tracks?|lists?|consists? of|"
        r"lives? in|serves?|acts? as|points? to|identif(?:y|ies)|records?|captures?|provides?|handles?|returns?|"
        r"creates?|reads?|writes?|uses?|runs?|keeps?|saves?|maps?|controls?|defines?|determines?|works?|happens?|"
        r"supports?|requires?|takes?|gives?|sets?|allows?|lets?|ensures?|prevents?|includes?|belongs? to|"
        r"corresponds? to|depends? on|cannot|can't|doesn't|does not|don't|do not|never|always|only)\b",
    ),
    open=(
        r"\b(?:todo|tbd|fixme)\b",
        r"\bnot (?:yet|done|implemented|supported|covered)\b",
        r"\b(?:left|leave|leaving|deferred?|postponed?|skipped?|keep|move) (?:\w+ ){0,3}(?:for|to|until) (?:a |the )?"
        r"(?:later|future|another|follow|now|next)\b",
        r"\b(?:follow[- ]up|future (?:work|exercise|pr|change|improvement)|next step|out of scope|open question)\b",
        r"\bremains? (?:to be|open|unclear|unsolved)\b",
        r"\bstill (?:needs?|fails?|open|missing|has to|have to|to do)\b",
    ),
    proposal=(
        r"\b(?:could|would|might|should|may|maybe|perhaps|if we|if you|what if|suggest|recommend|propose|consider|"
        r"i'd|we'd|option|alternatively|either)\b",
    ),
    hedge=(
        r"^consider\b",
        r"\b(?:likely|probably|might|maybe|perhaps|seems?|appears?|apparently|possibly|presumably|i guess|"
        r"i assume|i suspect|could be|may be|not sure|unclear|suspect)\b",
    ),
    passing_state=(
        r"\b(?:is|are|was|were|isn't|aren't|wasn't|weren't)(?: \w+)? (?:being|\w+ing)\b",
        r"\b(?:still|already|currently|right now|at the moment|so far|this time|now passes|now fails)\b",
        r"^now\b|\bready (?:to|for)\b|\bthe pr\b|\bmakes sense now\b",

        r"\b(?:tests?|build|lint|linter|ci) (?:is|are|was|were|now|still|pass|fail|passes|fails|passed|failed)\b",
        r"\b(?:is|are|was|were|gets?|got) (?:removed|added|updated|renamed|fixed|changed|skipped|reverted|replaced|moved|"
        r"deleted now|merged now)\b",
        r"\b(?:this suggests|which suggests|this indicates|looks like|turns out)\b",
        r"→|✅|❌",
    ),
    self_reference=(r"\b(?:i|i'm|i'll|i've|i'd|me|my|let me)\b",),
    negation=(
        r"\b(?:not|no|never|none|nothing|cannot|without|neither|nor|disabled?|off|false|unsupported|invalid)\b",
        r"n't\b",
    ),
    passing=(
        r"(?:and |with |all |the |both |unit |integration |full |existing |new |\d+ |of |lint(?:ing|er)?|builds?|checks?|"
        r"tests?|suites?|test:ci|ci|now |still |everything |code |is |are |was |were |has |have |no |issues?|errors?|"
        r"pass(?:es|ed|ing)?|clean(?:ly)?|green|works?|working|correctly|succeed(?:s|ed)?|successful(?:ly)?|complete[d]?|"
        r"done|fixed|implemented|verified|ready|good|fine|compil(?:es|ed)|changes?|work(?:ing)?|implementation|tree|"
        r"pushed|committed|commit(?:ted)?|to|and|with|&|,|!|\.|:|`[^`]*`|\s|✅|✓|-|–|—)+$",
    ),
    headings={
        "problem": (
            r"(?:the )?(?:core |main |actual |real |current |original |key )*(?:problems?|issues?|bugs?|symptoms?|errors?|"
            r"failures?|gotchas?|caveats?|limitations?|pitfalls?|risks?)(?: found| identified| summary| analysis)?",
            r"what (?:went wrong|broke|breaks|fails|failed)",
            r"bug analysis|known issues",
        ),
        "cause": (
            r"(?:the )?(?:root |likely |actual |most likely )*(?:causes?|culprit|diagnosis|explanation)",
            r"why (?:it|this|that) (?:fails|failed|happens|happened|breaks|broke|occurs).*",
            r"what (?:caused|causes) .*",
        ),
        "why": (
            r"why(?: (?:it|this|that|not|we|is|are|does|do) .*)?|(?:the )?(?:rationale|reasons?|reasoning|motivation|"
            r"background|benefits?|advantages|why this matters|why)",
            r"key (?:insight|finding|benefit)s?|the key insight",
        ),
        "fix": (
            r"(?:the )?(?:quick |root cause |proposed |suggested )*(?:fix(?:es)?|solutions?|resolution|workarounds?|"
            r"mitigation|remedy)(?: applied| suggestion| implemented| made)?",
            r"how (?:it was|we|to) fix(?:ed)?.*",
        ),
        "result": (
            r"(?:complete |final |quick |brief )*summary(?: of .*)?",
            r"(?:summary of )?(?:all |the |key |code |main |my )*(?:changes?|updates?|modifications?|refactoring)"
            r"(?: made| applied| summary| implemented| so far| complete)?",
            r"what(?:'s| was| is| were| has been|'s been| i| we)? ?(?:been )?(?:changed|did|done|fixed|added|implemented|new|"
            r"updated|removed|works now|renamed)(?: .*)?",
            r"(?:done|completed|implemented|fixed|added|removed|updated|created|renamed|cleaned up|deleted|new|"
            r"implementation(?: summary| complete| details)?|work (?:done|completed)|accomplishments)",
            r"(?:new |key |modified |changed |updated |created |deleted )*files?(?: changed| modified| created| updated| "
            r"added| touched)*",
            r"(?:new |updated |added )*(?:tests?|features?|functions?|methods?)(?: added| updated| created)?|now|after|"
            r"(?:fixes|changes|improvements) (?:applied|made)",
        ),
        "outcome": (
            r"(?:the |final |end |test |overall )*(?:results?|outcomes?|verification|status|verdict|conclusion|state)"
            r"(?: summary)?",
            r"(?:pr|commit|release)(?: link| url)?",
        ),
        "decision": (
            r"(?:the )?(?:design |final |key |main |architectural )*decisions?(?: made)?|decided|we decided|"
            r"chosen (?:approach|option|solution)|agreed|what we decided",
        ),
        "rule": (
            r"(?:the |key |hard |coding |team |golden )*(?:rules?|conventions?|guidelines?|polic(?:y|ies)|"
            r"requirements?|do'?s and don'?ts|invariants?)",
            r"always|never|must|do|don'?t",
        ),
        "concept": (
            r"what (?:it|this|that) (?:is|does|means|stores)|how (?:it|this|that) works?(?: now)?",
            r"(?:the |key |core |current |high-level |target )*(?:overview|architecture|concepts?|definitions?|terminology|"
            r"terms|glossary|design|model|data model|behaviou?r|flow|lifecycle|structure|components?|mechanism|"
            r"differences?|distinction|findings?)(?: between .*)?",
            r"what .{2,40} (?:is|are|does|do|means?)|how .{2,40} works?",
        ),
        "step": (
            r"(?:the |manual |test |reproduction |setup |install(?:ation)? |verification )*(?:steps?|instructions?|usage|"
            r"procedure|workflow|recipe|how-?to|quick start|commands?|runbook)(?: to .*)?",
            r"how to .*|to (?:run|test|build|use|install|reproduce|release|deploy|verify) .*|running .*|usage.*",
        ),
        "open": (
            r"(?:suggested |recommended )*next steps?(?: .*)?|remaining(?: .*)?|to-?dos?|open (?:questions?|issues?|points?|"
            r"items?)|follow[- ]?ups?|future(?: work| improvements?)?|not (?:yet )?(?:done|implemented|covered)|"
            r"out of scope|still (?:open|to do)|deferred|skipped|blockers?|pending",
        ),
        "proposal": (
            r"(?:.*\b)?(?:options?|recommendations?|recommended|proposals?|proposed|suggestions?|suggested|"
            r"approach(?:es)?|alternatives?|plan|ideas?|brainstorm(?:ing)?|trade-?offs?|considerations?|"
            r"questions?|nice-to-have|optional)\b.*",
            r"what (?:it|this|that|each test) (?:tests?|verifies|checks)|test(?:s|ing)?(?: coverage| cases?| scenarios?)?|"
            r"(?:pros|cons|effort|cost|complexity|my (?:take|recommendation|opinion)|verdict|strengths?|positive .*|"
            r"what (?:would|needs|could|should) .*|changes (?:needed|required)|required changes|files to (?:modify|change|"
            r"create)|implementation plan|example(?:s)?(?: .*)?|before|todo files)",
            r"(?:.*\b)?(?:review|findings)\b.*",
        ),
    },
)
