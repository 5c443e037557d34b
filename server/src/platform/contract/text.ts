/** Without the letters of one kind at its end. By hand: an expression that ends in `+$` tries each of a long run of them. */
export function withoutTrailing(text: string, letter: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === letter) end--
  return text.slice(0, end)
}
