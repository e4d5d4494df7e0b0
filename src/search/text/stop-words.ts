/**
 * The words of grammar that questions are made of, by language: articles, pronouns, prepositions, auxiliaries, question words.
 * Words that reverse a meaning are not among them ("not", "without"), nor are those that name something in code ("go").
 */
const STOP_WORDS = {
  en: `a an the and or but if then than so as of to in on at by for from with into about between
    is are was were be been being am do does did have has had can could should would will shall cannot
    i me my mine we us our you your he she it its they them their this that these those there
    what which who whom whose when where why how any some just please
    can't won't don't doesn't didn't isn't aren't wasn't couldn't shouldn't wouldn't haven't hasn't
    cant dont doesnt didnt isnt whats im i'm i've i'd i'll it's that's there's what's where's who's how's you're we're they're`,
  de: `der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als so von zu zum zur in im an am auf
    bei beim für mit aus über um ist sind war waren bin bist sein wird werden wurde kann können könnte soll sollte muss müssen
    darf habe hat haben hatte ich mich mir mein meine meinen meinem meiner wir uns unser unsere du sie ihr ihre er es man
    dies diese dieser dieses was welche welcher welches wer wen wem wann wo warum wieso wie da dort bitte bedeutet heißt`,
  es: `el la los las lo un una unos unas y o u pero si de del a al en por para con sobre es son era eran ser está están
    estar he ha han había puedo puede pueden podría debo debe deben hay yo me mi mis nosotros nos nuestro nuestra tú te tu
    tus usted su sus él ella ello ellos se le les este esta esto estos estas ese esa eso qué que cuál cuáles quién cuándo
    cuando dónde donde cómo como porqué algún alguna significa`,
  fr: `le la les l un une des du de d et ou mais si à au aux en dans sur par pour avec est sont était être suis ai a as
    avons avez ont avait peux peut peuvent pourrait dois doit doivent je j me m moi mon ma mes nous notre nos vous votre
    vos tu te ton ta tes il elle on ils elles se s son sa ses leur ce c cet cette ces ça cela qui que qu quoi quel quelle
    quels quelles quand où pourquoi comment y veut dire`,
  it: `il lo la i gli le l un uno una e ed o ma se di del dello della dei degli delle a al allo alla ai agli alle da dal
    dalla in nel nella nei nelle con su sul sulla per è sono era erano essere ho ha hanno aveva posso può possono potrebbe
    devo deve devono io mi mio mia miei mie noi ci nostro nostra tu ti tuo tua voi vi lui lei loro si suo sua questo
    questa questi queste quello quella che chi cosa quale quali quando dove perché come c'è significa`,
  nl: `de het een en of maar als dan van te in op aan bij voor door met uit over om is zijn was waren ben bent wordt worden
    kan kunnen kunt zou moet moeten mag heb heeft hebben had ik me mij mijn wij we ons onze jij je jouw u uw hij zij ze
    hun haar het dit dat deze die er wat welke welk wie wanneer waar waarom hoe betekent`,
  pt: `o a os as um uma uns umas e ou mas se de do da dos das em no na nos nas ao aos à às por pelo pela para com sobre é
    são era eram ser está estão estar tenho tem têm tinha posso pode podem poderia devo deve devem há eu me meu minha meus
    minhas nós nosso nossa você seu sua seus suas ele ela eles elas este esta isto esse essa isso que qual quais quem
    quando onde porquê como significa`,
} as const;

/** Empty for a language without a list. `language` as in BCP 47: `en`, `pt-BR`. */
export function stopWordsOf(language: string): string[] {
  const name = language.toLowerCase().split("-")[0]!;
  return isListed(name) ? [...new Set(STOP_WORDS[name].split(/\s+/))] : [];
}

function isListed(name: string): name is keyof typeof STOP_WORDS {
  return Object.hasOwn(STOP_WORDS, name);
}
