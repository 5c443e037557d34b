/** How a table's rows of a person are found, erased and exported. */
import type { RawBuilder } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import type { AttributionProfile } from '../../attribution/crediting/settings.ts'
import type { StoredEvent } from '../../facts/events/stored.ts'

/** What rows refer to. `fact`: events, conversions and payments together, as text. */
export const keyKinds = [
  'identifier',
  'event',
  'payment',
  'conversion',
  'conversation',
  'order',
  'lead',
  'click',
  'fact',
] as const
export type KeyKind = (typeof keyKinds)[number]
export type PersonKeys = { [K in KeyKind]?: readonly string[] }

export type ErasedPerson = {
  profile: AttributionProfile
  profileId: string
  workspaceId: string | undefined
  requestedAt: Date
  /** The customer as requested, and the customer that holds its identifiers now. */
  requestedCustomerId: string
  customerId: string | undefined
  identifierIds: readonly string[]
  /** Id of the anonymous customer that replaces the person. */
  erasedAs: string
  keyring: Keyring
  now: Date
}
export type ErasedEvents = { profileId: string; events: readonly StoredEvent[]; erasedAs: string }
export type Step<T> = (tx: Tx, params: T) => Promise<void>

/**
 * `rederived`: the pipeline writes the table again from the anonymous events. `anonymised`: rewritten with the events.
 * `kept`: contains nothing of a person besides ids of events, which become anonymous.
 */
export type Erase =
  | 'delete'
  | 'rederived'
  | 'anonymised'
  | 'kept'
  /** Columns and their new values. */
  | { clear: Record<string, string | null> }
  | { before: Step<ErasedPerson> }
  | { after: Step<ErasedPerson> }
  | { ofEvents: Step<ErasedEvents> }

/** A column: its name in the file, an amount in minor units of another column's currency, or a computed value. */
export type Shown = string | { name: string; currency: string }
export type Computed = { type: 'string'; sql: (profileId: string) => RawBuilder<unknown> }

export type Export =
  | {
      section: string
      /** What the section is, in the README of the file. */
      about: { en: string; es: string; pt: string }
      columns: Record<string, Shown>
      computed?: Record<string, Computed>
      /** Unique within the profile; the order of the section. */
      orderBy: readonly string[]
    }
  | { none: string }

export type PersonTable = {
  table: string
  /** Columns that lead to a person's rows; one match is enough. */
  findBy: Record<string, KeyKind | { key: KeyKind; where: string }>
  erase: Erase
  export: Export
  /** The other columns: ids, hashes and states of the service, which are not exported. Separated by spaces. */
  internal: string
}
