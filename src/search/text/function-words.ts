const FUNCTION_WORDS = new Set(
  (
    "a an the and or of to in on at by for from with is are was were be am do does did how what when where why which who " +
    "i me my mine we us our you your it its can could should would will shall"
  ).split(" "),
);

/** English words of grammar, as questions are made of them. They are searched, but say little. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
