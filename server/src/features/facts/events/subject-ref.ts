/** Checks that a subject reference is an opaque id without personal data. The checks cannot be exhaustive. */
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

/** Why a value is no opaque id; null if it may be one. */
export function subjectRefProblem(text: string): string | null {
  if (uuidForm.test(text)) return null
  if (text.includes('@')) return 'contains an @, like an email address'
  if (!tokenForm.test(text)) return 'is neither a UUID nor 1 to 32 letters, digits, _ or -'
  if (text.length === DIGEST_LENGTH && /^[0-9a-f]+$/i.test(text)) return 'is a hex digest of 32 characters'
  const words = text.split(/[-_]+/).filter((word) => word !== '')
  if (dateForms.some((form) => form.test(text))) return 'contains a date'
  if (looksLikePhone(words)) return `contains ${PHONE_DIGITS} or more digits in a row, like a phone number`
  return looksLikeName(text, words) ? 'looks like a name' : null
}

/**
 * Groups of digits only, or digits after a word: 555-123-4567, tel5551234567. Digits between the letters of a hex or
 * base-36 id are no phone number.
 */
function looksLikePhone(words: readonly string[]): boolean {
  let inRow = 0
  for (const word of words) {
    const digits = /^[A-Za-z]*?(\d+)$/.exec(word)?.[1]?.length ?? 0
    inRow = digits === word.length ? inRow + digits : digits
    if (inRow >= PHONE_DIGITS) return true
  }
  return false
}

/** Two or more pronounceable words, or capitalised ones: "maria-lopez", "MARIA_LOPEZ", "Maria", "MariaLopez". */
function looksLikeName(text: string, words: readonly string[]): boolean {
  if (/^(?:[A-Z][a-z]{2,})+$/.test(text)) return text.split(/(?=[A-Z])/).every(isPronounceable)
  return words.length >= 2 && words.every((word) => isOneCase(word) && isPronounceable(word))
}

function isOneCase(word: string): boolean {
  return /^(?:[A-Z]?[a-z]+|[A-Z]{2,})$/.test(word) && word.length >= 2
}

function isPronounceable(word: string): boolean {
  return /[aeiouy]/i.test(word) && !/[^aeiouy]{5}/i.test(word)
}
