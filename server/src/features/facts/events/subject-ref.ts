/** A subject is named by an id that says nothing about the person. The checks cannot be exhaustive; they say which of them failed. */
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const tokenForm = /^[A-Za-z0-9_-]{1,32}$/
const DIGEST_LENGTH = 32
const PHONE_DIGITS = 7

const day = '(?:0?[1-9]|[12]\\d|3[01])'
const month = '(?:0?[1-9]|1[0-2])'
const monthName =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const year = '(?:19|20)\\d\\d'
const dateForms = [
  // 1990-05-15, 15-05-1990, 05-15-1990 and, with two digits each, 15-05-90.
  `${year}[-_]${month}[-_]${day}`,
  `${day}[-_]${month}[-_]${year}`,
  `${month}[-_]${day}[-_]${year}`,
  '(?:0[1-9]|[12]\\d|3[01])[-_](?:0[1-9]|1[0-2])[-_]\\d\\d',
  '(?:0[1-9]|1[0-2])[-_](?:0[1-9]|[12]\\d|3[01])[-_]\\d\\d',
  // 15-May-1990, 15-May-90, 15may1990, May-15-1990. Without separators a short year would be found in hex: 15dec90.
  `${day}[-_]${monthName}[-_](?:${year}|\\d\\d)`,
  `${day}${monthName}${year}`,
  `${monthName}[-_]?${day}[-_]${year}`,
  `${year}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])`,
].map((form) => new RegExp(`(?<!\\d)${form}(?!\\d)`, 'i'))

/** Why a value is no opaque id; null where it may be one. */
export function subjectRefProblem(text: string): string | null {
  if (uuidForm.test(text)) return null
  if (text.includes('@')) return 'holds an @, as an email address does'
  if (!tokenForm.test(text)) return 'is neither a UUID nor 1 to 32 letters, digits, _ or -'
  if (text.length === DIGEST_LENGTH && /^[0-9a-f]+$/i.test(text)) return 'is a hex digest of 32 characters'
  const words = text.split(/[-_]+/).filter((word) => word !== '')
  if (dateForms.some((form) => form.test(text))) return 'holds a date'
  if (readsAsPhone(words)) return `holds ${PHONE_DIGITS} or more digits in a row, as a phone number does`
  return readsAsName(text, words) ? 'reads as a name' : null
}

/**
 * Digits that stand by themselves, or behind a word: 555-123-4567, tel5551234567. Digits between the letters of
 * a hex or base-36 id are no number that anybody dials.
 */
function readsAsPhone(words: readonly string[]): boolean {
  let inRow = 0
  for (const word of words) {
    const digits = /^[A-Za-z]*?(\d+)$/.exec(word)?.[1]?.length ?? 0
    inRow = digits === word.length ? inRow + digits : digits
    if (inRow >= PHONE_DIGITS) return true
  }
  return false
}

/** Two or more words that can be spoken, or capitalised ones: "maria-lopez", "MARIA_LOPEZ", "Maria", "MariaLopez". */
function readsAsName(text: string, words: readonly string[]): boolean {
  if (/^(?:[A-Z][a-z]{2,})+$/.test(text)) return text.split(/(?=[A-Z])/).every(isSpoken)
  return words.length >= 2 && words.every((word) => isOneCase(word) && isSpoken(word))
}

function isOneCase(word: string): boolean {
  return /^(?:[A-Z]?[a-z]+|[A-Z]{2,})$/.test(word) && word.length >= 2
}

function isSpoken(word: string): boolean {
  return /[aeiouy]/i.test(word) && !/[^aeiouy]{5}/i.test(word)
}
