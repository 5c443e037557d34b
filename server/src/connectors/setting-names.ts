/** Names of settings that were mistyped, and what was probably meant. Pure. */
import { platforms } from './platforms.ts'

const MAX_EDITS = 2
/** Shorter names are too close to each other, and to what other programs put into the environment. */
const SHORTEST = 6

/** Levenshtein distance: how many letters must be added, removed or replaced. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, replaced))
    }
    previous = current
  }
  return previous[b.length]!
}

function nearest(name: string, known: readonly string[]): { name: string; edits: number } {
  const sorted = known
    .map((candidate) => ({ name: candidate, edits: editDistance(name, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  return sorted[0]!
}

/**
 * What is wrong with `PROVIDER_…` variables that are no settings: a registration under a wrong name would be ignored.
 * A platform's own name leads to ours: PROVIDER_META → PROVIDER_SOCIAL_ADS.
 */
export function unknownProviders(env: readonly string[], known: readonly string[]): string[] {
  const providers = known.filter((name) => name.startsWith('PROVIDER_'))
  return env
    .filter((name) => name.startsWith('PROVIDER_') && !known.includes(name))
    .map((name) => {
      const platform = platformOf(name.slice('PROVIDER_'.length), providers)
      const meant = platform ?? nearest(name, providers).name
      const list = providers.map((provider) => provider.slice('PROVIDER_'.length).toLowerCase()).join(', ')
      return `${name} is not a setting: did you mean ${meant}? PROVIDER_ is followed by one of ${list}.`
    })
}

/** The setting of the platform whose public name has all words of the given one. */
function platformOf(given: string, providers: readonly string[]): string | undefined {
  const words = given.toLowerCase().split('_').filter(Boolean)
  const found = platforms.find(({ platform }) => {
    const own = platform.toLowerCase().split(/[^a-z]+/)
    return words.length > 0 && words.every((word) => own.includes(word))
  })
  const setting = found && `PROVIDER_${found.name.toUpperCase()}`
  return setting !== undefined && providers.includes(setting) ? setting : undefined
}

/** A sentence for each variable that is almost a setting; it may be another program's, so it only warns. */
export function mistypedSettings(env: readonly string[], known: readonly string[]): string[] {
  return env
    .filter((name) => name.length >= SHORTEST && !known.includes(name) && !name.startsWith('PROVIDER_'))
    .map((name) => ({ name, meant: nearest(name, known) }))
    .filter(({ meant }) => meant.edits <= MAX_EDITS)
    .map(({ name, meant }) => `${name} is not a setting and is ignored: did you mean ${meant.name}?`)
}
