/** Reads a whole profile into columns: who is whose, what converted, and the touches of those who did. */
import type pg from 'pg'
import type { Connection } from '../../../db/database.ts'
import type { NamedAd } from '../paths.ts'
import { ByteTable } from './byte-table.ts'
import { type Conversions, inIdOrder, loadConversions } from './conversions.ts'
import { readCopy, readInstant } from './copy-out.ts'
import { IntegerColumn } from './integer-column.ts'
import { Journeys } from './journeys.ts'
import { UuidTable } from './uuid-table.ts'

export type Profile = {
  /** All identifiers; a customer is the number of its root. */
  people: UuidTable
  conversions: Conversions
  /** Conversions of known customers, in the order of their ids. */
  order: Int32Array
  customerOf: (conversion: number) => number
  journeys: Journeys
  named: NamedAd[]
}

/** Two connections read side by side: the profile's lock keeps both from seeing a change. */
export async function loadProfile(main: Connection, reader: Connection, profileId: string): Promise<Profile> {
  const people = new UuidTable()
  const [roots, conversions] = await Promise.all([
    loadRoots(reader.client, profileId, people),
    loadConversions(main.tx, main.client, profileId, people),
  ])
  const rootOf = new Int32Array(people.size).fill(-1)
  for (let index = 0; index < roots.member.length; index++)
    rootOf[roots.member.get(index)] = roots.root.get(index)
  // An identifier without a row of its own has no customer to credit.
  const customerOf = (conversion: number) => rootOf[conversions.rows.person(conversion)]!
  const order = inIdOrder(conversions.ids, (conversion) => customerOf(conversion) >= 0)
  const hasConverted = new Uint8Array(people.size)
  for (let conversion = 0; conversion < conversions.ids.size; conversion++) {
    const customer = customerOf(conversion)
    if (customer >= 0) hasConverted[customer] = 1
  }
  const { journeys, names } = await loadTouches(main.client, profileId, { people, rootOf, hasConverted })
  return { people, conversions, order, customerOf, journeys, named: readNamed(names) }
}

type Roots = { member: IntegerColumn; root: IntegerColumn }

/** Numbers all identifiers and tells each one's root. */
async function loadRoots(client: pg.PoolClient, profileId: string, people: UuidTable): Promise<Roots> {
  const roots = { member: new IntegerColumn(), root: new IntegerColumn() }
  await readCopy(
    client,
    `copy (
      select id, nullif(customer_id, id) from identifiers where profile_id = '${profileId}') to stdout (format binary)`,
    2,
    ({ view, at, size }) => {
      const member = people.numberOf(view, at[0]!)
      roots.member.push(member)
      roots.root.push(size[1]! < 0 ? member : people.numberOf(view, at[1]!))
    },
  )
  return roots
}

type Known = { people: UuidTable; rootOf: Int32Array; hasConverted: Uint8Array }

async function loadTouches(
  client: pg.PoolClient,
  profileId: string,
  { people, rootOf, hasConverted }: Known,
): Promise<{ journeys: Journeys; names: ByteTable }> {
  const journeys = new Journeys(people.size)
  const names = new ByteTable()
  await readCopy(
    client,
    `copy (
        select identifier_id, occurred_at, is_direct, platform, campaign_external_id, ad_set_external_id, ad_external_id
        from touches where profile_id = '${profileId}') to stdout (format binary)`,
    7,
    ({ view, at, size }) => {
      const person = people.numberOf(view, at[0]!, false)
      const root = person < 0 ? -1 : rootOf[person]!
      if (root < 0 || hasConverted[root] === 0) return
      // The names with their lengths lie side by side in the row, so they are one key.
      const named = names.numberOf(view, at[3]! - 4, at[6]! + Math.max(0, size[6]!))
      journeys.add(root, readInstant(view, at[1]!), named * 2 + view.getUint8(at[2]!))
    },
  )
  return { journeys, names }
}

function readNamed(names: ByteTable): NamedAd[] {
  return Array.from({ length: names.size }, (_, number) => {
    const [platform, campaign, adSet, ad] = names.textsAt(number)
    return {
      platform: platform!,
      campaign_external_id: campaign!,
      ad_set_external_id: adSet!,
      ad_external_id: ad!,
    }
  })
}
