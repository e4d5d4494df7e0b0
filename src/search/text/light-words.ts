/**
 * English words that say less than their rarity suggests: reference pages hardly use "how" and "my", which makes them rare
 * words there.
 */
const FUNCTION_WORDS = wordsOf(
  "a an the and or of to in on at by for from with is are was were be am do does did how what when where why which who " +
    "i me my mine we us our you your it its can could should would will shall",
);

/** The same for verbs, but only in a question: "make image smaller" is about making, "how can i make an image smaller" is not. */
const VERBS_OF_QUESTIONS = wordsOf(
  "get gets got use uses used using need needs want wants make makes made work works working see try know find tell " +
    "mean means happen happens difference different",
);

export const isFunctionWord = (word: string) => FUNCTION_WORDS.has(word);
export const isVerbOfQuestions = (word: string) => VERBS_OF_QUESTIONS.has(word);

function wordsOf(text: string): Set<string> {
  return new Set(text.split(" "));
}
