/**
 * Rotation of the master key in two phases. Each process registers the keys it has and renews its registration
 * (heartbeat). A new key is used for encryption only once every recently seen process has it; until then it only
 * decrypts. Registrations are valid for a while after the last heartbeat, so that a restarting process still
 * counts.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ConfigError } from '../../config.ts'
import { type Db, isOutOfSpace, type Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import { type Keyring, sealWith } from './keyring.ts'
import { keyIdOf } from './seal.ts'

const HEARTBEAT_MS = 15_000
/** A process is considered running for this long after its last heartbeat. */
const LIVE_MINUTES = 10

export type LiveProcess = { keyIds: readonly string[]; startedAt: Date; seenAt: Date }

/** The key to encrypt with: the first one of the most recently started process, once every process has it. Pure. */
export function sealingKeyOf(
  live: readonly Pick<LiveProcess, 'keyIds' | 'startedAt'>[],
  inUse: string,
): string {
  const newest = newestOf(live)
  const candidate = newest?.keyIds[0] ?? inUse
  return live.every(({ keyIds }) => keyIds.includes(candidate)) ? candidate : inUse
}

export type Wait = {
  /** The key that will be used. */
  keyId: string
  /** Processes that lack it. */
  processes: number
  /** Until the last of them no longer counts, if none renews its registration. */
  secondsLeft: number
}

/** Null if no key waits. Pure. */
export function rotationWait(live: readonly LiveProcess[], now: Date): Wait | null {
  const newest = newestOf(live)
  const keyId = newest?.keyIds[0]
  const lacking = live.filter(({ keyIds }) => keyId !== undefined && !keyIds.includes(keyId))
  if (keyId === undefined || lacking.length === 0) return null
  const lastSeen = Math.max(...lacking.map(({ seenAt }) => seenAt.getTime()))
  const secondsLeft = Math.max(0, Math.ceil((lastSeen - now.getTime()) / 1000 + LIVE_MINUTES * 60))
  return { keyId, processes: lacking.length, secondsLeft }
}

export function waitText({ keyId, processes, secondsLeft }: Wait): string {
  return `the master key "${keyId}" is used once every process has it: ${processes} without it, the last no longer counts in ${Math.ceil(secondsLeft / 60)} min after it stops`
}

export async function readRotationWait(db: Db): Promise<Wait | null> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rotationWait(await listLive(db), rows[0]!.now)
}

function newestOf<Process extends Pick<LiveProcess, 'startedAt'>>(live: readonly Process[]): Process | null {
  return live.reduce<Process | null>(
    (latest, peer) => (latest === null || peer.startedAt > latest.startedAt ? peer : latest),
    null,
  )
}

async function listLive(db: Db | Tx): Promise<LiveProcess[]> {
  const { rows } = await sql<LiveProcess>`
    select key_ids as "keyIds", started_at as "startedAt", seen_at as "seenAt" from key_holders
    where seen_at > now() - make_interval(mins => ${LIVE_MINUTES})`.execute(db)
  return rows
}

export type KeyRotation = {
  /** Renews the registration and adopts the current key. Runs periodically; tests call it directly. */
  heartbeat(): Promise<void>
  stop(): void
}

/** Registers this process before it encrypts anything. Throws a ConfigError if it lacks the current key. */
export async function joinRotation(db: Db, keyring: Keyring, log: Log): Promise<KeyRotation> {
  const self = { id: randomUUID(), startedAt: new Date(), keyIds: keyring.keys.map(({ id }) => id) }
  const first = await register(db, self).catch(async (error: unknown) => {
    // With a full disk the service still serves reads; it registers as soon as it can write.
    if (!isOutOfSpace(error)) throw error
    return (await findSealingKey(db)) ?? { keyId: self.keyIds[0]!, since: self.startedAt }
  })
  if (!sealWith(keyring, first.keyId)) throw missingKeyError(first)
  // Only for the countdown, so a failure is no reason not to start.
  const wait = await readRotationWait(db).catch(() => null)
  if (wait !== null) log.info(waitText(wait))
  const heartbeat = async () => {
    const inUse = await register(db, self)
    const before = keyring.current.id
    const hadCurrentKey = keyring.missingKeyId === null
    if (sealWith(keyring, inUse.keyId)) {
      if (before !== inUse.keyId)
        log.info(`new secrets are now encrypted with the master key "${inUse.keyId}"`)
    } else if (hadCurrentKey) log.error(missingKeyError(inUse).message)
  }
  const timer = setInterval(() => {
    heartbeat().catch((error: unknown) => log.warn('key rotation: process not registered', { error }))
  }, HEARTBEAT_MS)
  timer.unref()
  return { heartbeat, stop: () => clearInterval(timer) }
}

type SealingKey = { keyId: string; since: Date }

const missingKeyError = ({ keyId, since }: SealingKey) =>
  new ConfigError(
    `MASTER_KEYS lacks the key "${keyId}", which encrypts new values since ${since.toISOString()}. Add it anywhere in the list and restart this process.`,
  )

/** Registration and decision in one transaction under a row lock, so that no process joins in between. */
function register(
  db: Db,
  self: { id: string; startedAt: Date; keyIds: readonly string[] },
): Promise<SealingKey> {
  return db.transaction().execute(async (tx) => {
    const inUse = await lockSealingKey(tx, self.keyIds[0]!)
    // A process that lacks the current key must not block the others.
    if (!self.keyIds.includes(inUse.keyId)) return inUse
    await sql`
      insert into key_holders (id, key_ids, started_at, seen_at)
      values (${self.id}, ${self.keyIds}::text[], ${self.startedAt}, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(tx)
    await sql`delete from key_holders where seen_at < now() - interval '1 day'`.execute(tx)
    const live = await listLive(tx)
    const keyId = sealingKeyOf(live, inUse.keyId)
    if (keyId === inUse.keyId) return inUse
    const { rows } = await sql<SealingKey>`
      update sealing_key set key_id = ${keyId}, since = now() returning key_id as "keyId", since`.execute(tx)
    return rows[0]!
  })
}

/** Initially it is the key of the database's own secret, or the first key for a new database. */
async function lockSealingKey(tx: Tx, firstKeyId: string): Promise<SealingKey> {
  const { rows: secrets } = await sql<{ sealed: Buffer }>`
    select sealed from service_secrets where name = 'identity_pepper'`.execute(tx)
  const keyId = secrets[0] === undefined ? firstKeyId : keyIdOf(secrets[0].sealed)
  await sql`insert into sealing_key (key_id, since) values (${keyId}, now()) on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<SealingKey>`
    select key_id as "keyId", since from sealing_key for update`.execute(tx)
  return rows[0]!
}

async function findSealingKey(db: Db): Promise<SealingKey | undefined> {
  const { rows } = await sql<SealingKey>`select key_id as "keyId", since from sealing_key`.execute(db)
  return rows[0]
}
