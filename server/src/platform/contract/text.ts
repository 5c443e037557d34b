/**
 * Trims trailing occurrences of `letter`. A regular expression ending in `+$` would take quadratic time on long
 * runs.
 */
export function withoutTrailing(text: string, letter: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === letter) end--
  return text.slice(0, end)
}
