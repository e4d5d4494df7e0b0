/** For `globSync`, in which `**` finds no folder whose name begins with a dot. */
export const UNIT_TESTS = ["src/**/*.test.ts", "src/**/.server/**/*.test.ts"];

/** `vi` replaces modules, clocks and globals; the others are, or start, a process or a thread, or change what all code sees. */
const REACHES_OTHERS =
  /\bvi\.|\bprocess\.|\bglobalThis\b|\bglobal\.|\.prototype\b|\bdefineProperty\b|\bchild_process\b|\bworker_threads\b|\bcreateServer\b/;

/** Whether a test file with this text must have its own process, because it may change the process for others. */
export const needsOwnProcess = (text: string): boolean => REACHES_OTHERS.test(text);
