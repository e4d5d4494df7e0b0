/**
 * Shell text → commands as lists of words. Knows quotes, comments, line continuation, here-documents, pipes and lists;
 * what is in `$(…)` is a command too. Enough to find a program and its flags, not to run anything.
 */
export interface ShellCommand {
  words: string[];
  /** In the text, from 1. */
  line: number;
}

export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let current: ShellCommand | undefined;
  let word = "";
  let isWord = false;
  let line = 1;
  const endWord = () => {
    if (isWord) {
      current ??= { words: [], line };
      current.words.push(word);
    }
    word = "";
    isWord = false;
  };
  const endCommand = () => {
    endWord();
    if (current) commands.push(current);
    current = undefined;
  };
  const source = withoutHereDocuments(text);
  for (let index = 0; index < source.length; index += 1) {
    const letter = source[index] ?? "";
    if (letter === "\\" && source[index + 1] === "\n") {
      endWord();
      line += 1;
      index += 1;
    } else if (letter === "\\") {
      word += source[index + 1] ?? "";
      isWord = true;
      index += 1;
    } else if (letter === "'" || letter === '"') {
      const end = closingQuote(source, index);
      const quoted = source.slice(index + 1, end);
      word += quoted;
      isWord = true;
      if (letter === '"') commands.push(...substitutions(quoted, line));
      line += quoted.split("\n").length - 1;
      index = end;
    } else if (letter === "#" && !isWord) {
      while (index + 1 < source.length && source[index + 1] !== "\n") index += 1;
    } else if (letter === "\n") {
      endCommand();
      line += 1;
    } else if (/[;&|()`]/.test(letter)) {
      // "2>&1" and "&>file" are redirections.
      if (letter === "&" && (source[index - 1] === ">" || source[index + 1] === ">")) word += letter;
      else endCommand();
    } else if (/\s/.test(letter)) {
      endWord();
    } else {
      word += letter;
      isWord = true;
    }
  }
  endCommand();
  return commands;
}

function substitutions(quoted: string, line: number): ShellCommand[] {
  const found = [...quoted.matchAll(/\$\(([^)]*)\)/g)].flatMap(([, inner]) => shellCommands(inner ?? ""));
  return found.map((command) => ({ ...command, line }));
}

function closingQuote(source: string, start: number): number {
  const quote = source[start];
  for (let index = start + 1; index < source.length; index += 1) {
    if (source[index] === "\\" && quote === '"') index += 1;
    else if (source[index] === quote) return index;
  }
  return source.length;
}

/** Their text becomes empty lines, so that the numbers of the lines stay. */
function withoutHereDocuments(text: string): string {
  return text.replace(
    /(<<-?\s*(["']?)(\w+)\2[^\n]*\n)([\s\S]*?)(^[ \t]*\3[ \t]*$)/gm,
    (_all, head: string, _quote, _word, body: string) => head + "\n".repeat(body.split("\n").length - 1),
  );
}
