/** Corrects email addresses and phone numbers that are not valid as typed. Pure. */
import { normaliseEmail } from '../../facts/identity/identifiers.ts'
import { readPhone } from '../../facts/identity/phone.ts'

export type Repairable = 'email' | 'phone'

/** Undefined if the value is already valid or has no certain correction. */
export function repairValue(trait: Repairable, value: string, country: string | null): string | undefined {
  if (trait === 'email') return normaliseEmail(value) === undefined ? repairEmail(value) : undefined
  return readPhone(value, null) === undefined ? readPhone(value, country) : undefined
}

/** `Ana Paz <ana@example.com>`, `<mailto:ana@example.com>`, `ana @ example.com,` */
function repairEmail(value: string): string | undefined {
  const inside = /<([^<>]+)>/.exec(value)?.[1] ?? value
  const plain = inside
    .normalize('NFKC')
    .trim()
    .replace(/^mailto:/i, '')
    .replace(/(?<![.,;])[.,;]+$/, '')
    .replace(/(?<!\s)\s*([@.])\s*/g, '$1')
  return normaliseEmail(plain)
}
