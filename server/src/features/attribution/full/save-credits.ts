/** Puts a profile's credits in place of the stored ones; those that are the same are left alone. */
import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../../../db/database.ts'
import { CopyWriter, readCopy, readDay, readUuid, uuidBytes } from './binary-copy.ts'
import type { Credited } from './credit.ts'
import { type Profile, uuidAt } from './load.ts'

const UUID = 16

export async function saveCredits(
  tx: Tx,
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
): Promise<void> {
  const { conversions } = loaded
  const isSame = new Uint8Array(conversions.count)
  const old = await compareStored(client, profileId, loaded, credited, isSame)
  const changed = inIdOrder(loaded, isSame)
  if (changed.length === 0 && old.gone.length === 0) return
  if (old.different + old.gone.length > 10_000) {
    await sql`delete from credits where profile_id = ${profileId}`.execute(tx)
    isSame.fill(0)
    await copyCredits(client, profileId, loaded, credited, inIdOrder(loaded, isSame))
    return
  }
  const stale = [...changed].map((conversion) => uuidAt(conversions.ids, conversion))
  await sql`
    delete from credits where profile_id = ${profileId} and conversion_id = any(${[...old.gone, ...(old.different > 0 ? stale : [])]}::uuid[])`.execute(
    tx,
  )
  await copyCredits(client, profileId, loaded, credited, changed)
}

/** Marks the conversions whose stored credit is what it should be; tells the others. */
async function compareStored(
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
  isSame: Uint8Array,
): Promise<{ different: number; gone: string[] }> {
  const { conversions } = loaded
  const { kinds } = conversions
  const result = { different: 0, gone: [] as string[] }
  await readCopy(
    client,
    `copy (
      select conversion_id, day, outcome_type, revenue_type, fx_missing, packed from credits
      where profile_id = '${profileId}') to stdout (format binary)`,
    6,
    ({ bytes, at, size }) => {
      const conversion = conversions.ids.numberOf(bytes, at[0]!, at[0]! + UUID, false)
      if (conversion < 0) {
        result.gone.push(readUuid(bytes, at[0]!))
        return
      }
      const kind = kinds.list[conversions.kind.get(conversion)]!
      const same =
        readDay(bytes, at[1]!) === conversions.day.get(conversion) &&
        bytes[at[4]!] === conversions.flags.get(conversion) &&
        bytes.toString('latin1', at[2]!, at[2]! + size[2]!) === kind.outcomeType &&
        bytes.toString('latin1', at[3]!, at[3]! + size[3]!) === kind.revenueType &&
        credited.writer.bytes.compare(
          bytes,
          at[5]!,
          at[5]! + size[5]!,
          credited.start[conversion]!,
          credited.end[conversion]!,
        ) === 0
      if (same) isSame[conversion] = 1
      else result.different += 1
    },
  )
  return result
}

/** By the first four bytes of the id: rows that come in the order of the key find its pages in memory. */
function inIdOrder({ conversions }: Profile, isSame: Uint8Array): Int32Array {
  const { keys } = conversions.ids
  const wanted = Int32Array.from(
    (function* () {
      for (let index = 0; index < conversions.count; index++) if (isSame[index] === 0) yield index
    })(),
  )
  let [from, to] = [wanted, new Int32Array(wanted.length)]
  for (const at of [2, 0]) {
    const start = new Int32Array(65_537)
    const digit = (index: number) => keys.readUInt16BE(conversions.ids.startOf(index) + at)
    for (const index of from) start[digit(index) + 1]! += 1
    for (let value = 0; value < 65_536; value++) start[value + 1]! += start[value]!
    for (const index of from) to[start[digit(index)]!++] = index
    ;[from, to] = [to, from]
  }
  return from
}

async function copyCredits(
  client: pg.PoolClient,
  profileId: string,
  loaded: Profile,
  credited: Credited,
  order: Int32Array,
): Promise<void> {
  if (order.length === 0) return
  const { conversions } = loaded
  const profile = uuidBytes(profileId)
  const kinds = conversions.kinds.list.map((kind) => ({
    outcomeType: Buffer.from(kind.outcomeType),
    revenueType: Buffer.from(kind.revenueType),
  }))
  const writer = new CopyWriter(
    client,
    `copy credits (profile_id, conversion_id, day, outcome_type, revenue_type, fx_missing, paths, packed)
     from stdin (format binary)`,
  )
  for (const conversion of order) {
    const kind = kinds[conversions.kind.get(conversion)]!
    const [pathStart, pathEnd] = [credited.pathStart[conversion]!, credited.pathEnd[conversion]!]
    writer.beginRow(8)
    writer.field(profile, 0, UUID)
    writer.field(conversions.ids.keys, conversions.ids.startOf(conversion), conversions.ids.endOf(conversion))
    writer.day(conversions.day.get(conversion))
    writer.text(kind.outcomeType)
    writer.text(kind.revenueType)
    writer.boolean(conversions.flags.get(conversion) === 1)
    writer.integers(credited.paths.subarray(pathStart, pathEnd), pathEnd - pathStart)
    writer.field(credited.writer.bytes, credited.start[conversion]!, credited.end[conversion]!)
    if (writer.isFull) await writer.flush()
  }
  await writer.end()
}
