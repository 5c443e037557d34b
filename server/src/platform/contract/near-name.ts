/** Finds the name that a misspelled one probably means. */

/** Up to a third of the letters may differ, at most three; undefined if no name is that close. */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const maxDistance = Math.min(3, Math.max(1, Math.floor(name.length / 3)))
    const distance = editDistance(typed, name.toLowerCase(), maxDistance)
    if (distance <= maxDistance && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** Damerau-Levenshtein distance; anything above `maxDistance` is `maxDistance + 1`. */
function editDistance(a: string, b: string, maxDistance: number): number {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) least = Math.min(least, beforeLast[column - 2]! + 1)
      current.push(least)
    }
    ;[beforeLast, last] = [last, current]
  }
  return Math.min(last[b.length]!, maxDistance + 1)
}
