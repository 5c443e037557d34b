/**
 * Codes in prefilled chat messages: `W` and 7 characters of Crockford's base 32. Six are random (30 bits), the last is
 * a checksum, so that other texts rarely look like one. Pure.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_CHARS = 6
/** A prime below 32: detects every changed digit but 0 for Z, and every exchange of neighbours. */
const MODULUS = 31
const SEARCHED_CHARS = 1000
const MARKED = /\bref:?\s*(W[0-9A-HJKMNP-TV-Z]{7})\b/gi
const BARE = /^W[0-9A-HJKMNP-TV-Z]{7}$/i

function checksum(digits: readonly number[]): string {
  return ALPHABET[digits.reduce((sum, digit, at) => sum + (at + 1) * digit, 0) % MODULUS]!
}

/** `random`: at least six bytes. */
export function toChatCode(random: Uint8Array): string {
  const digits = [...random.subarray(0, RANDOM_CHARS)].map((byte) => byte & 31)
  return `W${digits.map((digit) => ALPHABET[digit]).join('')}${checksum(digits)}`
}

function isChatCode(code: string): boolean {
  const digits = [...code.slice(1, -1)].map((char) => ALPHABET.indexOf(char))
  return code.endsWith(checksum(digits))
}

/** The code itself, as in the `ref` of a link; null for any other text. */
export function readChatCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return BARE.test(code) && isChatCode(code) ? code : null
}

/** The first code in a message, such as "Hello (ref W7K3QX2M)". */
export function findChatCode(message: string): string | null {
  for (const [, found] of message.slice(0, SEARCHED_CHARS).matchAll(MARKED)) {
    const code = readChatCode(found!)
    if (code !== null) return code
  }
  return null
}

/** The text with the code at its end. */
export const withChatCode = (text: string, code: string): string => `${text} (ref ${code})`.trimStart()
