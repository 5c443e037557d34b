/** What a table says of a word that came from outside: `constructor` and the like are members of every object. */
export function lookUp<T>(
  table: Readonly<Record<string, T>>,
  word: string | null | undefined,
): T | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}
