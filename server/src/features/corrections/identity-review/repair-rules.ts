/** Email addresses and phone numbers that identify no one as they were typed, and what was meant. Pure. */
import { normaliseEmail } from '../../facts/identity/identifiers.ts'
import { readPhone } from '../../facts/identity/phone.ts'

export type Repairable = 'email' | 'phone'

/** Undefined where no certain value can be read, or the typed value is already complete. */
export function repairOf(trait: Repairable, value: string, country: string | null): string | undefined {
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
