// Finds the form fields that identify a person. Other fields are not read.
import { clean } from './text.ts'
import type { Traits } from './wire.ts'

export type Field = { type: string; name: string; autocomplete: string; value: string }

const READABLE = /^(text|email|tel|)$/
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type TraitName = keyof Traits | 'name'
const HINTS: [TraitName, RegExp, RegExp][] = [
  ['email', /email/, /e-?mail/i],
  ['phone', /^tel/, /phone|mobile|whatsapp|celular|telefon|^tel$/i],
  ['first_name', /given-name/, /first[-_ ]?name|given[-_ ]?name|^fname$/i],
  ['last_name', /family-name/, /last[-_ ]?name|family[-_ ]?name|surname|^lname$/i],
  ['name', /^name$/, /^(full|your)?[-_ ]?name$/i],
]

export function readTraits(fields: Field[]): Traits {
  const values: Partial<Record<TraitName, string>> = {}
  for (const field of fields) {
    const value = clean(field.value, 320)
    if (!value || !READABLE.test(field.type)) continue
    const trait = traitOf(field)
    if (!trait || values[trait]) continue
    if (trait === 'email' && !EMAIL.test(value)) continue
    if (trait === 'phone' && value.replace(/\D/g, '').length < 7) continue
    values[trait] = value
  }
  const { name, ...traits } = values
  if (name && !traits.first_name) {
    const [first, ...rest] = name.split(/\s+/)
    traits.first_name = first
    if (rest.length && !traits.last_name) traits.last_name = rest.join(' ')
  }
  return traits
}

function traitOf(field: Field): TraitName | undefined {
  if (field.type === 'email') return 'email'
  if (field.type === 'tel') return 'phone'
  for (const [trait, autocomplete] of HINTS) {
    if (field.autocomplete.split(/\s+/).some((token) => autocomplete.test(token))) return trait
  }
  for (const [trait, , name] of HINTS) if (name.test(field.name)) return trait
}
