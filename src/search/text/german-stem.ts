/**
 * The stem of a folded German word, by Snowball's algorithm (https://snowballstem.org/algorithms/german/stemmer.html), without its
 * first and last step: folding has already replaced ß and the umlauts.
 *
 *   aufeinanderfolgenden → aufeinanderfolg   hauser (Häuser) → haus   kategorischen → kategor
 */
export function stemGerman(word: string): string {
  // Between vowels, u and y are consonants.
  const marked = word.replace(/(?<=[aeiouy])u(?=[aeiouy])/g, "U").replace(/(?<=[aeiouy])y(?=[aeiouy])/g, "Y");
  const regions = regionsOf(marked);
  return stripThird(stripSecond(stripFirst(marked, regions), regions), regions).toLowerCase();
}

interface Regions {
  /** Where the text after the first consonant that follows a vowel begins, and the same again in that text. */
  first: number;
  second: number;
}

function regionsOf(word: string): Regions {
  const after = (from: number) => {
    const match = /[aeiouy][^aeiouy]/.exec(word.slice(from));
    return match ? from + match.index + 2 : word.length;
  };
  const first = after(0);
  return { first: Math.max(first, 3), second: after(first) };
}

/** The word without the ending, if that is in the region; else undefined. */
function without(word: string, ending: RegExp, from: number): string | undefined {
  const found = ending.exec(word)?.[1];
  if (found === undefined || word.length - found.length < from) return undefined;
  return word.slice(0, word.length - found.length);
}

function stripFirst(word: string, { first }: Regions): string {
  const ending = /(ern|em|er|en|es|e)$/.exec(word)?.[1];
  if (ending === undefined) return without(word, /[bdfghklmnrt](s)$/, first) ?? word;
  const rest = without(word, /(ern|em|er|en|es|e)$/, first) ?? word;
  return rest !== word && ending.startsWith("e") && !/^e[mr]/.test(ending) && rest.endsWith("niss")
    ? rest.slice(0, -1)
    : rest;
}

function stripSecond(word: string, { first }: Regions): string {
  if (/(?:est|en|er)$/.test(word)) return without(word, /(est|en|er)$/, first) ?? word;
  return without(word, /.{3}[bdfghklmnt](st)$/, first) ?? word;
}

function stripThird(word: string, { first, second }: Regions): string {
  const ending = /(?:end|ung|isch|ig|ik|lich|heit|keit)$/.exec(word)?.[0];
  if (ending === undefined || word.length - ending.length < second) return word;
  const rest = word.slice(0, word.length - ending.length);
  if (ending === "end" || ending === "ung") return without(rest, /(?<!e)(ig)$/, second) ?? rest;
  if (ending === "lich" || ending === "heit") return without(rest, /(er|en)$/, first) ?? rest;
  if (ending === "keit") return without(rest, /(lich|ig)$/, second) ?? rest;
  return rest.endsWith("e") ? word : rest;
}
