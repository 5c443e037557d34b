/**
 * Recognises personal values by their form: email addresses and phone numbers, also percent-encoded. Plain digits
 * without separators are not matched, because ids of orders, ads and campaigns look the same. Runs in browsers too.
 * All regular expressions run in linear time.
 */

/** Replaces a removed value. */
export const REDACTED = '…'

const MIN_PHONE_DIGITS = 7
const MAX_PHONE_DIGITS = 15
/** A value encoded more often than this is removed entirely. */
const MAX_DECODES = 3

const email = /[^\s@/]@[^\s@.]+\.[^\s@]/
const international = /\+\d(?:[\s().-]{0,2}\d){6,14}/
const national =
  /\(\d{2,4}\)[\s-]?\d{3,5}[\s.-]?\d{4}|(?<![\d.-])(?:\d{3}[-. ]\d{3}[-. ]\d{4}|\d{2,3} \d{4,5}-\d{4})(?![\d-])/
const phoneCharacters = /^(?:(?:tel|sms|p|whatsapp):)?[+\d\s().\-/]+$/i
const notAPhone = /^\d{4}[-/.]\d\d[-/.]\d\d|^\d{1,3}(?:\.\d{1,3}){3}$|^\d+\.\d{1,2}$/
const encoded = /%([0-9a-f]{2})/gi

/** Compatibility forms such as a full-width @ become plain ones. */
function decode(text: string): string {
  let plain = text.normalize('NFKC')
  for (let round = 0; round < MAX_DECODES && plain.includes('%'); round += 1)
    plain = plain.replace(encoded, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return plain
}

/**
 * Whether the whole text is a phone number. A query decodes `+` to a space, so a leading space counts as a
 * separator.
 */
function isPhone(text: string): boolean {
  if (!phoneCharacters.test(text) || notAPhone.test(text) || /^\d*$/.test(text)) return false
  const digits = digitsOf(text).length
  return digits >= MIN_PHONE_DIGITS && digits <= MAX_PHONE_DIGITS
}

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** True if the text is, or contains, an email address or a phone number. */
export function isPersonal(text: string): boolean {
  const plain = decode(text)
  return email.test(plain) || isPhone(plain) || international.test(plain) || national.test(plain)
}

/** Matches only from the start of a word: trying each position of a long word would take quadratic time. */
const emailInText = /(?<![^\s"'<>()=:,;/?&#])[^\s"'<>()=:,;/?&#@]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu
const numbersInText = [international, national].map((form) => new RegExp(form, 'g'))

/** Replaces addresses and numbers in the text; if they are encoded, replaces the word or the whole text. */
export function withoutPersonalValues(text: string): string {
  if (!isPersonal(text)) return text
  let cut = text.replace(emailInText, REDACTED)
  for (const form of numbersInText) cut = cut.replace(form, REDACTED)
  if (!isPersonal(cut)) return cut
  const words = cut.split(/(\s)/).map((word) => (isPersonal(word) ? REDACTED : word))
  const cleaned = words.join('')
  return isPersonal(cleaned) ? REDACTED : cleaned
}
