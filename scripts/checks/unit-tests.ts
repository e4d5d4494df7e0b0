/** For `globSync`, in which `**` finds no folder whose name begins with a dot. */
export const UNIT_TESTS = ["src/**/*.test.ts", "src/**/.server/**/*.test.ts"];
