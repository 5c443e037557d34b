export type Command = { id: string; label: string; group: string; icon: string; run: () => void }

const MOST = 12

/** Names that begin with what was typed, then those that hold it, then those that hold all its words. */
export function matching<T extends { label: string }>(
  commands: readonly T[],
  text: string,
  most = MOST,
): T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return commands.slice(0, most)
  const words = wanted.split(/\s+/)
  const rankOf = ({ label }: T) => {
    const name = label.toLowerCase()
    if (name.startsWith(wanted)) return 0
    if (name.includes(wanted)) return 1
    return words.every((word) => name.includes(word)) ? 2 : 3
  }
  return commands
    .map((command) => ({ command, rank: rankOf(command) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ command }) => command)
}
