/** Replaces a profile's stored credits; unchanged rows are not rewritten. */
import { sql } from 'kysely'
import type pg from 'pg'
import { CopyWriter, TupleWriter, uuidBytes } from '../../../../platform/db/copy/copy-in.ts'
import { CopyOut, readUuid } from '../../../../platform/db/copy/copy-out.ts'
import type { Connection } from '../../../../platform/db/database.ts'
import type { PathBook } from '../credits/paths.ts'
import type { AttributionProfile } from '../settings.ts'
import { compareWords } from './conversions.ts'
import { type Credit, type CreditSink, type CreditTotals, creditProfile } from './credit.ts'
import type { Profile } from './load.ts'

const COLUMNS = ['profile_id', 'conversion_id', 'packed']
/** If more than this share differs, rewriting all credits is cheaper. */
const MAX_CHANGED = 0.2

/** Computes and stores credits; `main` writes while `reader` reads. */
export async function saveCredits(
  main: Connection,
  reader: Connection,
  profile: AttributionProfile,
  loaded: Profile,
  book: PathBook,
): Promise<CreditTotals> {
  const { profileId } = profile
  if (await hasCredits(main, profileId)) {
    const credited = await saveChanges(main, reader, profile, loaded, book)
    if (credited !== null) return credited
    await sql`delete from credits where profile_id = ${profileId}`.execute(main.tx)
  }
  const rows = new AllRows(main.client, profileId, loaded)
  try {
    const credited = await creditProfile(profile, loaded, book, { tx: reader.tx, profileId }, rows)
    await rows.end()
    return credited!
  } catch (error) {
    await rows.abort(error)
    throw error
  }
}

/** Returns null if so much changed that all credits must be rewritten. */
async function saveChanges(
  main: Connection,
  reader: Connection,
  profile: AttributionProfile,
  loaded: Profile,
  book: PathBook,
): Promise<CreditTotals | null> {
  const { profileId } = profile
  const changes = new Changes(reader.client, profileId, loaded)
  try {
    const credited = await creditProfile(profile, loaded, book, { tx: main.tx, profileId }, changes)
    if (credited === null || !(await changes.finish())) return null
    await changes.save(main)
    return credited
  } finally {
    await changes.stop()
  }
}

async function hasCredits({ tx }: Connection, profileId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from credits where profile_id = ${profileId} limit 1`.execute(tx)
  return rows.length > 0
}

/** Encodes a credit as a COPY row. */
class CreditRows {
  private readonly profile: Buffer
  private readonly ids: Profile['conversions']['ids']
  constructor(profileId: string, { conversions }: Profile) {
    this.profile = uuidBytes(profileId)
    this.ids = conversions.ids
  }
  write(writer: TupleWriter, credit: Credit): void {
    writer.beginRow(COLUMNS.length)
    writer.text(this.profile)
    writer.uuid(this.ids.words, credit.conversion)
    writer.field(credit.bytes, 0, credit.length)
  }
}

/** Streams all credits into the table while they are computed. */
class AllRows implements CreditSink {
  private readonly rows: CreditRows
  private readonly copy: CopyWriter
  constructor(client: pg.PoolClient, profileId: string, loaded: Profile) {
    this.rows = new CreditRows(profileId, loaded)
    this.copy = new CopyWriter(client, `copy credits (${COLUMNS.join(', ')}) from stdin (format binary)`)
  }
  put(credit: Credit): void {
    this.rows.write(this.copy, credit)
  }
  async endChunk(): Promise<boolean> {
    if (this.copy.isFull) await this.copy.flush()
    return true
  }
  end(): Promise<void> {
    return this.copy.end()
  }
  abort(error: unknown): Promise<void> {
    return this.copy.abort(error instanceof Error ? error : new Error(String(error)))
  }
}

/** Merges the new credits with the stored ones, both sorted by id, and collects the differences. */
class Changes implements CreditSink {
  private readonly profileId: string
  private readonly loaded: Profile
  private readonly rows: CreditRows
  private readonly stored: CopyOut
  private readonly storedId = new Int32Array(4)
  private hasStored = false
  private isStoredEnd = false
  /** `chunk`: the rows of the current chunk. `changed`: the new and changed rows of all chunks. */
  private readonly chunk = new TupleWriter()
  private readonly starts: number[] = []
  private readonly conversions: number[] = []
  private readonly changed = new TupleWriter()
  private readonly stale: string[] = []
  private changes = 0

  constructor(client: pg.PoolClient, profileId: string, loaded: Profile) {
    this.profileId = profileId
    this.loaded = loaded
    this.rows = new CreditRows(profileId, loaded)
    this.stored = new CopyOut(
      client,
      `copy (select ${COLUMNS.join(', ')} from credits where profile_id = '${profileId}'
        order by conversion_id) to stdout (format binary)`,
      COLUMNS.length,
    )
  }

  put(credit: Credit): void {
    this.starts.push(this.chunk.length)
    this.conversions.push(credit.conversion)
    this.rows.write(this.chunk, credit)
  }

  async endChunk(): Promise<boolean> {
    const { chunk, starts, conversions, loaded } = this
    for (const [index, conversion] of conversions.entries()) {
      const [from, to] = [starts[index]!, starts[index + 1] ?? chunk.length]
      let order = -1
      while (this.hasStored || (await this.nextStored())) {
        order = compareWords(this.storedId, 0, loaded.conversions.ids.words, conversion * 4)
        if (order >= 0) break
        this.drop()
      }
      if (order === 0 && this.isStored(from, to)) {
        this.hasStored = false
        continue
      }
      if (order === 0) this.drop()
      this.changed.raw(chunk.bytes, from, to)
      this.changes += 1
    }
    chunk.length = 0
    starts.length = 0
    conversions.length = 0
    return this.isBelowLimit()
  }

  /** Drops the remaining stored rows. Returns whether all changes together are below the limit. */
  async finish(): Promise<boolean> {
    while (this.hasStored || (await this.nextStored())) this.drop()
    return this.isBelowLimit()
  }

  async save({ tx, client }: Connection): Promise<void> {
    if (this.stale.length > 0)
      await sql`
        delete from credits where profile_id = ${this.profileId} and conversion_id = any(${this.stale}::uuid[])`.execute(
        tx,
      )
    if (this.changes === 0) return
    const copy = new CopyWriter(client, `copy credits (${COLUMNS.join(', ')}) from stdin (format binary)`)
    copy.raw(this.changed.bytes, 0, this.changed.length)
    await copy.end()
  }

  stop(): Promise<void> {
    return this.stored.drain()
  }

  private isBelowLimit(): boolean {
    return Math.max(this.changes, this.stale.length) <= Math.max(1, this.loaded.order.length * MAX_CHANGED)
  }

  private async nextStored(): Promise<boolean> {
    const { stored, storedId } = this
    if (this.isStoredEnd) return false
    while (!stored.next())
      if (!(await stored.more())) {
        this.isStoredEnd = true
        return false
      }
    for (let word = 0; word < 4; word++)
      storedId[word] = stored.row.view.getInt32(stored.row.at[1]! + word * 4)
    this.hasStored = true
    return true
  }

  /** COPY out and COPY in use the same binary format, so rows are compared bytewise. */
  private isStored(from: number, to: number): boolean {
    const { row } = this.stored
    return row.bytes.compare(this.chunk.bytes, from + 2, to, row.begin, row.end) === 0
  }

  /** Marks the current stored row for deletion. */
  private drop(): void {
    if (this.isBelowLimit()) this.stale.push(readUuid(this.stored.row.bytes, this.stored.row.at[1]!))
    this.hasStored = false
  }
}
