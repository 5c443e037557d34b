// Which fields of a form name a person. Everything else in the form stays unread.
import { clean } from './text.ts'
import type { Traits } from './wire.ts'

export type Field = { type: string; name: string; autocomplete: string; value: string }

const READABLE = /^(text|email|tel|)$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type Wanted = keyof Traits | 'name'
const HINTS: [Wanted, RegExp, RegExp][] = [
  ['email', /email/, /e-?mail/i],
  ['phone', /^tel/, /phone|mobile|whatsapp|celular|telefon|^tel$/i],
  ['first_name', /given-name/, /first[-_ ]?name|given[-_ ]?name|^fname$/i],
  ['last_name', /family-name/, /last[-_ ]?name|family[-_ ]?name|surname|^lname$/i],
  ['name', /^name$/, /^(full|your)?[-_ ]?name$/i],
]

export function readTraits(fields: Field[]): Traits {
  const found: Partial<Record<Wanted, string>> = {}
  for (const field of fields) {
    const value = clean(field.value, 320)
    if (!value || !READABLE.test(field.type)) continue
    const wanted = wantedFrom(field)
    if (!wanted || found[wanted]) continue
    if (wanted === 'email' && !EMAIL.test(value)) continue
    if (wanted === 'phone' && value.replace(/\D/g, '').length < 7) continue
    found[wanted] = value
  }
  const { name, ...traits } = found
  if (name && !traits.first_name) {
    const [first, ...rest] = name.split(/\s+/)
    traits.first_name = first
    if (rest.length && !traits.last_name) traits.last_name = rest.join(' ')
  }
  return traits
}

function wantedFrom(field: Field): Wanted | undefined {
  if (field.type === 'email') return 'email'
  if (field.type === 'tel') return 'phone'
  for (const [wanted, autocomplete] of HINTS) {
    if (field.autocomplete.split(/\s+/).some((token) => autocomplete.test(token))) return wanted
  }
  for (const [wanted, , name] of HINTS) if (name.test(field.name)) return wanted
}
