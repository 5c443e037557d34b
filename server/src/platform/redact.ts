import { withoutPersonalValues } from './contract/personal-values.ts'

/** The service's own keys, tokens and secrets, and their replacements. */
export const secretForms: readonly [RegExp, string][] = [
  [/\b(whence_[a-z]+|trk_[a-z]+)_[0-9A-Za-z]{10}_?[0-9A-Za-z]*/g, '$1_…'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_…'],
]

/** Takes out of a text what no log may keep: tokens, passwords in addresses, query values, people's addresses. */
const forms: readonly [RegExp, string][] = [
  ...secretForms,
  [/\b(Bearer|Basic)\s+[^\s"',]{6,}/gi, '$1 …'],
  [/:\/\/[^\s/@"']+@/g, '://…@'],
  [/([?&][\w.[\]-]+)=[^\s&"'<>)]+/g, '$1=…'],
  // From the beginning of a word only: from each of its letters, a long word would be gone through as often as it is long.
  [/(?<![^\s"'<>()=:,;/])[^\s"'<>()=:,;/]+@[\w-]+(?:\.[\w-]+)+/g, '…@…'],
]

export function redact(text: string): string {
  let redacted = text
  for (const [form, instead] of forms) redacted = redacted.replace(form, instead)
  return withoutPersonalValues(redacted)
}
