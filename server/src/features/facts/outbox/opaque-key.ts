/** Includes `tel:` and the spellings of lead forms. Bare digits are accepted: provider ids often look like that. */
const phoneForm = /^(?=.*\D)(?:p:|tel:)?[+\d\s().\-/]{6,}$/i

/** True for a provider's own customer id, false for an email address or phone number, which identify a person. */
export function isOpaqueKey(text: string): boolean {
  return !text.includes('@') && !phoneForm.test(text.trim())
}
