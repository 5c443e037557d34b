/**
 * Search tokens for names: keyed hashes of the prefixes of their words. `García` is stored as hashes of `ga`, `gar`,
 * `garc`, … Without the key the hashes reveal nothing, and they differ by profile (docs/decisions/0102).
 */
import { keyedHash } from '../../../platform/secrets/keyed-hash.ts'
import type { IdentityScope } from './identifiers.ts'

export const NAME_TRAITS = ['first_name', 'last_name'] as const

/** Longer prefixes are not indexed: words that agree on this many characters match. */
const MAX_PREFIX = 10
const MAX_WORDS = 8
/** Scripts in which a single character can be a word or family name; in others it is an initial. */
const SINGLE_CHARACTER_WORDS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u

type Scope = Pick<IdentityScope, 'profileId' | 'pepper'>

/** Words in lower case without accents, at most `MAX_WORDS`. */
function wordsOf(text: string): string[][] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => [...word].slice(0, MAX_PREFIX))
    .filter((word) => word.length >= shortestOf(word))
    .slice(0, MAX_WORDS)
}

const shortestOf = (word: readonly string[]) => (SINGLE_CHARACTER_WORDS.test(word[0] ?? '') ? 1 : 2)

/** Tokens of all prefixes of a person's names, sorted and distinct. */
export function nameTokens(names: readonly string[], scope: Scope): string[] {
  const parts = new Set<string>()
  for (const word of names.flatMap(wordsOf))
    for (let length = shortestOf(word); length <= word.length; length++)
      parts.add(word.slice(0, length).join(''))
  return [...parts].map((part) => tokenOf(part, scope)).sort()
}

/** One token per word of a search that is long enough. */
export function searchTokens(search: string, scope: Scope): string[] {
  return [...new Set(wordsOf(search).map((word) => tokenOf(word.join(''), scope)))]
}

function tokenOf(part: string, { profileId, pepper }: Scope): string {
  const hash = keyedHash(pepper, `${profileId}\nname\n${part}`)
  return BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`)).toString()
}
