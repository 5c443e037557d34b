import { withoutPersonalValues } from './contract/personal-values.ts'

/** The service's own keys, tokens and secrets, and their replacements. */
export const secretForms: readonly [RegExp, string][] = [
  [/\b(whence_[a-z]+|trk_[a-z]+)_[0-9A-Za-z]{10}_?[0-9A-Za-z]*/g, '$1_…'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_…'],
]

/** Patterns that must not appear in logs: tokens, passwords in URLs, query values, email addresses. */
const forms: readonly [RegExp, string][] = [
  ...secretForms,
  [/\b(Bearer|Basic)\s+[^\s"',]{6,}/gi, '$1 …'],
  [/:\/\/[^\s/@"']+@/g, '://…@'],
  [/([?&][\w.[\]-]+)=[^\s&"'<>)]+/g, '$1=…'],
  // Matches only from the start of a word: trying each position of a long word would take quadratic time.
  [/(?<![^\s"'<>()=:,;/])[^\s"'<>()=:,;/]+@[\w-]+(?:\.[\w-]+)+/g, '…@…'],
]

export function redact(text: string): string {
  let redacted = text
  for (const [form, replacement] of forms) redacted = redacted.replace(form, replacement)
  return withoutPersonalValues(redacted)
}
