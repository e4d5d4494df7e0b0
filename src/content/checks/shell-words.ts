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
  return new ShellReader(withoutHereDocuments(text)).read();
}

class ShellReader {
  readonly #source: string;
  readonly #commands: ShellCommand[] = [];
  #current: ShellCommand | undefined;
  /** null between words; a quoted empty word is "". */
  #word: string | null = null;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  read(): ShellCommand[] {
    for (let index = 0; index < this.#source.length;) index = this.#readAt(index);
    this.#endCommand();
    return this.#commands;
  }

  /** @returns where the next piece starts */
  #readAt(index: number): number {
    const source = this.#source;
    const letter = source[index] ?? "";
    if (letter === "\\") return this.#readEscape(index);
    if (letter === "'" || letter === '"') return this.#readQuoted(index);
    if (letter === "#" && this.#word === null) {
      const end = source.indexOf("\n", index);
      return end < 0 ? source.length : end;
    }
    // "2>&1" and "&>file" are redirections.
    const isRedirection = letter === "&" && (source[index - 1] === ">" || source[index + 1] === ">");
    if (letter === "\n" || (/[;&|()`]/.test(letter) && !isRedirection)) {
      this.#endCommand();
      if (letter === "\n") this.#line += 1;
    } else if (/\s/.test(letter)) this.#endWord();
    else this.#append(letter);
    return index + 1;
  }

  #readEscape(index: number): number {
    const next = this.#source[index + 1] ?? "";
    if (next === "\n") {
      this.#endWord();
      this.#line += 1;
    } else this.#append(next);
    return index + 2;
  }

  #readQuoted(start: number): number {
    const quote = this.#source[start] ?? "";
    let end = start + 1;
    while (end < this.#source.length && this.#source[end] !== quote) {
      end += this.#source[end] === "\\" && quote === '"' ? 2 : 1;
    }
    const quoted = this.#source.slice(start + 1, end);
    this.#append(quoted);
    if (quote === '"') this.#commands.push(...substitutions(quoted, this.#line));
    this.#line += quoted.split("\n").length - 1;
    return end + 1;
  }

  #append(text: string): void {
    this.#word = (this.#word ?? "") + text;
  }

  #endWord(): void {
    if (this.#word === null) return;
    this.#current ??= { words: [], line: this.#line };
    this.#current.words.push(this.#word);
    this.#word = null;
  }

  #endCommand(): void {
    this.#endWord();
    if (this.#current) this.#commands.push(this.#current);
    this.#current = undefined;
  }
}

function substitutions(quoted: string, line: number): ShellCommand[] {
  const found = [...quoted.matchAll(/\$\(([^)]*)\)/g)].flatMap(([, inner]) => shellCommands(inner ?? ""));
  return found.map((command) => ({ ...command, line }));
}

/** Their text becomes empty lines, so that the numbers of the lines stay. */
function withoutHereDocuments(text: string): string {
  return text.replace(
    /(<<-?\s*(["']?)(\w+)\2[^\n]*\n)([\s\S]*?)(^[ \t]*\3[ \t]*$)/gm,
    (_all, head: string, _quote, _word, body: string) => head + "\n".repeat(body.split("\n").length - 1),
  );
}
