export type Command = { id: string; label: string; group: string; icon: string; run: () => void }

const MAX_RESULTS = 12

/** Labels that start with the text, then those that contain it, then those that contain all its words. */
export function matching<T extends { label: string }>(
  commands: readonly T[],
  text: string,
  maxResults = MAX_RESULTS,
): T[] {
  const searchText = text.trim().toLowerCase()
  if (searchText === '') return commands.slice(0, maxResults)
  const searchWords = searchText.split(/\s+/)
  const rankOf = ({ label }: T) => {
    const name = label.toLowerCase()
    if (name.startsWith(searchText)) return 0
    if (name.includes(searchText)) return 1
    return searchWords.every((word) => name.includes(word)) ? 2 : 3
  }
  return commands
    .map((command) => ({ command, rank: rankOf(command) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxResults)
    .map(({ command }) => command)
}
