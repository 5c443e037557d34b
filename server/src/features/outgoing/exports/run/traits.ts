/** Derives the exported data of a person from stored traits. Pure. */
import type { ExportAddress } from '../../../../connectors/connector.ts'
import { findCountry } from '../../../../platform/contract/countries.ts'
import { readPhone } from '../../../facts/identity/phone.ts'

export type TraitRow = { identifier_id: string; event_id: string; trait: string; value: string }

export const exportedTraits = [
  'email',
  'phone',
  'country',
  'external_id',
  'first_name',
  'last_name',
  'city',
  'region',
  'postal_code',
]

/** Each number is parsed with the country from its event, otherwise with the profile's country. */
export function phonesOf(traits: readonly TraitRow[], profileCountry: string | null): string[] {
  const countries = new Map(
    traits.flatMap((row) => (row.trait === 'country' ? [[row.event_id, row.value]] : [])),
  )
  const phones = traits.flatMap((row) =>
    row.trait === 'phone'
      ? (readPhone(row.value, findCountry(countries.get(row.event_id)) ?? profileCountry) ?? [])
      : [],
  )
  return [...new Set(phones)]
}

/**
 * The latest name and the latest address; expects the latest trait first. The parts of a name, and those of an address,
 * are taken from a single event.
 */
export function addressOf(traits: readonly TraitRow[]): ExportAddress | null {
  const latest = (names: readonly string[]) => {
    const eventId = traits.find((row) => names.includes(row.trait))?.event_id
    const ofEvent = traits.filter((row) => row.event_id === eventId)
    return (trait: string) => ofEvent.find((row) => row.trait === trait)?.value.trim() || null
  }
  const name = latest(['first_name', 'last_name'])
  const locality = latest(['city', 'region', 'postal_code'])
  const address: ExportAddress = {
    firstName: name('first_name'),
    lastName: name('last_name'),
    city: locality('city'),
    region: locality('region'),
    postalCode: locality('postal_code'),
    country: findCountry(locality('country')) ?? null,
  }
  return Object.values(address).every((value) => value === null) ? null : address
}
