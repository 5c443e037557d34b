/**
 * Builds the file of a customer's data: one snapshot of the database, read in pages and written as encrypted parts in
 * the same transaction. A crash therefore leaves no file, and an erasure that comes between makes the transaction fail.
 */
import { createHash } from 'node:crypto'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inWritableSnapshot, type Tx } from '../../../platform/db/database.ts'
import { type ZippedFile, ZipWriter } from '../../../platform/zip-writer.ts'
import { loadContacts } from '../../facts/identity/contact.ts'
import { findLiveCustomer, loadMembers } from '../../facts/identity/members.ts'
import type { PersonKeys } from '../person-data/entry.ts'
import { personTables } from '../person-data/list.ts'
import { deleteParts } from '../person-data/steps.ts'
import { PART_BYTES, sealPart } from './parts.ts'
import * as queries from './queries.ts'
import { readmeOf } from './readme.ts'
import { FILE_MS, partId } from './rules.ts'
import { type Found, loadKeys, readEventPages, readPages } from './section-queries.ts'

const SCHEMA_VERSION = 1

export async function runExport(
  { service, db, signal, now }: Pick<JobContext, 'service' | 'db' | 'signal' | 'now'>,
  { profileId, id }: { profileId: string; id: string },
): Promise<void> {
  const profile = await findProfileRef(db, { profileId })
  await service.processor.settled(profileId)
  await inWritableSnapshot(db, async (tx) => {
    const row = await queries.findExport(tx, { profileIds: [profileId], id })
    if (row?.status !== 'pending' || row.customer_id === null) return
    const customerId = await findLiveCustomer(tx, { profileId, identifierId: row.customer_id })
    if (customerId === undefined || profile === undefined) {
      await queries.endExport(tx, { profileId, id, from: ['pending'], to: 'cancelled' })
      return
    }
    const { keyring, config } = service
    const parts = createParts(async (part, bytes) => {
      signal.throwIfAborted()
      const place = { profileId, exportId: id, part }
      const sealed = sealPart(keyring, place, bytes)
      await queries.insertPart(tx, { profileId, id: partId(id, part), exportId: id, part, sealed })
    })
    const zip = new ZipWriter(parts.write, now)
    const files = await writeSections(tx, { profileId, customerId, zip })
    const identifierIds = [...(await loadMembers(tx, profileId, [customerId])).keys()]
    const sections = files.map(({ section, records }) => ({ name: section, records }))
    const contact = (await loadContacts(tx, profileId, [customerId])).get(customerId) ?? null
    const json = (value: unknown) => [`${JSON.stringify(value, null, 2)}\n`]
    const person = await zip.add('person.json', json({ customer_id: customerId, contact }))
    const manifest = {
      schema_version: SCHEMA_VERSION,
      created_at: now,
      business: profile.name,
      law: row.law,
      requested_on: row.requested_on,
      identity_method: row.identity_method,
      report_currency: profile.currency,
      events_before: eventsBefore(config.RAW_EVENT_DAYS, localDay(now, profile.timezone)),
      possible_matches_not_exported: await queries.countProposals(tx, { profileId, identifierIds }),
      files: [...files, { ...person, section: 'person', records: 1 }],
    }
    await zip.add('manifest.json', json(manifest))
    await zip.add('README.txt', [readmeOf(manifest)])
    await zip.end()
    const { bytes, sha256 } = await parts.end()
    const expiresAt = new Date(now.getTime() + FILE_MS)
    await queries.saveReady(tx, { profileId, id, sections, sha256, bytes, expiresAt, now })
    await recordChange(
      tx,
      { now },
      {
        workspaceId: profile.workspaceId,
        profileId,
        action: 'customer.data_exported',
        subject: id,
        detail: { method: row.identity_method, law: row.law },
      },
    )
  })
}

/** The day before which events may have lost details by age, if they expire at all. */
const eventsBefore = (days: number, today: string): string | null =>
  days === 0 ? null : addDays(today, -days)

export type WrittenSection = ZippedFile & { section: string; records: number }

async function writeSections(
  tx: Tx,
  { profileId, customerId, zip }: { profileId: string; customerId: string; zip: ZipWriter },
): Promise<WrittenSection[]> {
  const identifierIds = [...(await loadMembers(tx, profileId, [customerId])).keys()]
  const found: Found = { leads: [], orders: [], withBrowser: [] }
  const files: WrittenSection[] = []
  let keys: PersonKeys = await loadKeys(tx, profileId, identifierIds)
  // The events come first: they lead to the answers of forms, to orders and to browsers.
  const ordered = personTables.toSorted((a, b) => Number(b.table === 'events') - Number(a.table === 'events'))
  for (const entry of ordered) {
    if ('none' in entry.export) continue
    const { section } = entry.export
    let records = 0
    const pages =
      entry.table === 'events'
        ? readEventPages(tx, profileId, entry, { identifierIds, found })
        : readPages(tx, profileId, entry, keys)
    const lines = async function* () {
      for await (const rows of pages) {
        records += rows.length
        yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      }
    }
    const file = await zip.add(`${section}.ndjson`, lines())
    files.push({ ...file, section, records })
    if (entry.table === 'events')
      keys = { ...keys, lead: found.leads, order: found.orders, event: found.withBrowser }
  }
  return files
}

/** Collects bytes into parts of one size. */
function createParts(save: (part: number, bytes: Uint8Array) => Promise<void>) {
  const hash = createHash('sha256')
  let waiting: Uint8Array[] = []
  let size = 0
  let total = 0
  let part = 0
  const flush = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    size = 0
    await save(part++, bytes)
  }
  return {
    write: async (bytes: Uint8Array) => {
      hash.update(bytes)
      total += bytes.length
      waiting.push(bytes)
      size += bytes.length
      if (size >= PART_BYTES) await flush()
    },
    end: async () => {
      await flush()
      return { bytes: total, sha256: hash.digest('hex') }
    },
  }
}

/** Deletes files that expired, and ends requests whose person was not identified in time. */
export async function endExpired({ db }: JobContext, now: Date, limit = 500): Promise<void> {
  for (const { profile_id: profileId, id, status } of await queries.listEnded(db, { now, limit }))
    await db.transaction().execute(async (tx) => {
      const to = status === 'ready' ? ('expired' as const) : ('cancelled' as const)
      if (await queries.endExport(tx, { profileId, id, from: [status], to }))
        await deleteParts(tx, { profileId, ids: [id] })
    })
}
