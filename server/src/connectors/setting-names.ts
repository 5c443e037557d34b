/** Detects mistyped names of settings and suggests the closest one. Pure. */
import { platforms } from './platforms.ts'

const MAX_EDITS = 2
/** Shorter names are too similar to each other and to environment variables of other programs. */
const MIN_LENGTH = 6

/** Levenshtein distance. */
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

function nearest(name: string, settingNames: readonly string[]): { name: string; edits: number } {
  const sorted = settingNames
    .map((candidate) => ({ name: candidate, edits: editDistance(name, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  return sorted[0]!
}

/**
 * Errors for `PROVIDER_…` variables that are no settings: a registration under a wrong name would be ignored.
 * A platform's public name suggests our neutral one: PROVIDER_META → PROVIDER_SOCIAL_ADS.
 */
export function unknownProviders(env: readonly string[], settingNames: readonly string[]): string[] {
  const providers = settingNames.filter((name) => name.startsWith('PROVIDER_'))
  return env
    .filter((name) => name.startsWith('PROVIDER_') && !settingNames.includes(name))
    .map((name) => {
      const platform = platformOf(name.slice('PROVIDER_'.length), providers)
      const suggestion = platform ?? nearest(name, providers).name
      const list = providers.map((provider) => provider.slice('PROVIDER_'.length).toLowerCase()).join(', ')
      return `${name} is not a setting: did you mean ${suggestion}? PROVIDER_ is followed by one of ${list}.`
    })
}

/** The setting of the platform whose public name contains all words of the variable's name. */
function platformOf(publicName: string, providers: readonly string[]): string | undefined {
  const nameWords = publicName.toLowerCase().split('_').filter(Boolean)
  const match = platforms.find(({ platform }) => {
    const platformWords = platform.toLowerCase().split(/[^a-z]+/)
    return nameWords.length > 0 && nameWords.every((word) => platformWords.includes(word))
  })
  const setting = match && `PROVIDER_${match.name.toUpperCase()}`
  return setting !== undefined && providers.includes(setting) ? setting : undefined
}

/** Warnings for variables that are almost a setting. Only warnings, because they may belong to another program. */
export function mistypedSettings(env: readonly string[], settingNames: readonly string[]): string[] {
  return env
    .filter(
      (name) => name.length >= MIN_LENGTH && !settingNames.includes(name) && !name.startsWith('PROVIDER_'),
    )
    .map((name) => ({ name, closest: nearest(name, settingNames) }))
    .filter(({ closest }) => closest.edits <= MAX_EDITS)
    .map(({ name, closest }) => `${name} is not a setting and is ignored: did you mean ${closest.name}?`)
}
