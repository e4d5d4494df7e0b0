/**
 * How much an English word says that questions are made of, against its rarity: reference pages hardly have "how" and "my",
 * which makes them rare words there. They are searched, and say little.
 */
const FUNCTION_WORDS = wordsOf(
  "a an the and or of to in on at by for from with is are was were be am do does did how what when where why which who " +
    "i me my mine we us our you your it its can could should would will shall",
);
const VERBS_OF_QUESTIONS = wordsOf(
  "get gets got use uses used using need needs want wants make makes made work works working see try know find tell mean means " +
    "happen happens difference different",
);

export function saysLittle(word: string): boolean {
  return FUNCTION_WORDS.has(word) || VERBS_OF_QUESTIONS.has(word);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.split(" "));
}
