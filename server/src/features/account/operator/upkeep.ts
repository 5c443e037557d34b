/** What an operator has to renew, free or repair in time: for /metrics and `npm run operator -- check`. */
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { type ApiVersionName, apiVersions, versionDaysLeft } from '../../../connectors/versions.ts'
import type { Service } from '../../../context.ts'
import { readCertificateEnd } from '../../../platform/certificate.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import type { Db } from '../../../platform/db/database.ts'
import { nodeAnswers } from '../../../platform/db/node-answers.ts'
import type { DataNode, Nodes } from '../../../platform/db/nodes.ts'
import { onEveryShard } from '../../../platform/db/shards/every-shard.ts'
import { isLive, listProcesses } from '../../../platform/jobs/live-processes.ts'
import { readRotationWait, type Wait } from '../../../platform/secrets/rotation.ts'

export type Upkeep = {
  nodes: readonly { name: string; isUp: boolean }[]
  clocks: readonly { host: string; pid: number; clock_ahead_seconds: number | null }[]
  /** The disk of DATA_DIR; null if the folder does not exist. */
  disk: { freeBytes: number; sizeBytes: number } | null
  /**
   * Since the last `npm run backup`, or since the database was created if there was none. Null for a server, whose own
   * tools may back it up, as long as the command was never used.
   */
  backupAgeSeconds: number | null
  /** Whole days until the versions of registered platforms end. */
  versions: readonly { name: ApiVersionName; daysLeft: number }[]
  /** Days until the first authorization ends that only a person can renew; null if there is none. */
  tokenDaysLeft: number | null
  /** Null if BASE_URL is not https; undefined if the certificate cannot be read. */
  certificateDaysLeft: number | null | undefined
  /** A master key that waits for processes without it. */
  rotation: Wait | null
}

export type UpkeepSource = Pick<Service, 'db' | 'nodes' | 'log' | 'config'>

/** The nodes with profiles, and the coordinator, which every change of accounts and jobs needs. */
export function watchedNodes({ main, list }: Pick<Nodes, 'main' | 'list'>): DataNode[] {
  return [...new Set([main, ...list()])]
}

export async function readUpkeep(source: UpkeepSource, now: Date): Promise<Upkeep> {
  const { db, nodes, config } = source
  const [rotation, up, processes, disk, backupAgeSeconds, tokenEnd, certificateDaysLeft] = await Promise.all([
    readRotationWait(db),
    Promise.all(
      watchedNodes(nodes).map(async (node) => ({ name: node.name, isUp: await nodeAnswers(node) })),
    ),
    listProcesses(db),
    readDisk(config.DATA_DIR),
    readBackupAge(db, config.DATABASE_URL === undefined),
    readTokenEnd(source),
    readCertificateEnd(config.BASE_URL).then(
      (end) => end && daysUntil(end, now),
      () => undefined,
    ),
  ])
  return {
    rotation,
    nodes: up,
    clocks: processes.filter(isLive),
    disk,
    backupAgeSeconds,
    versions: endingVersions(config, now),
    tokenDaysLeft: tokenEnd && daysUntil(tokenEnd, now),
    certificateDaysLeft,
  }
}

const daysUntil = (end: Date, now: Date) => (end.getTime() - now.getTime()) / DAY_MS

export function endingVersions(config: Pick<Service['config'], 'providers'>, now: Date): Upkeep['versions'] {
  const today = now.toISOString().slice(0, 10)
  return (Object.keys(apiVersions) as ApiVersionName[]).flatMap((name) => {
    const daysLeft = name in config.providers ? versionDaysLeft(name, today) : null
    return daysLeft === null ? [] : [{ name, daysLeft }]
  })
}

export async function readDisk(folder: string): Promise<Upkeep['disk']> {
  return statfs(folder).then(
    ({ bavail, blocks, bsize }) => ({ freeBytes: bavail * bsize, sizeBytes: blocks * bsize }),
    () => null,
  )
}

export async function readBackupAge(db: Db, isEmbedded: boolean): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from clock_timestamp() - coalesce(
      (select finished_at from last_backup),
      case when ${isEmbedded}::boolean then (select min(applied_at) from schema_migrations) end))::float8 as age`.execute(
    db,
  )
  return rows[0]?.age ?? null
}

/** Access tokens are renewed by the service; a consent, or a token without a refresh, only by a person. */
export async function readTokenEnd({ nodes, log }: Pick<Service, 'nodes' | 'log'>): Promise<Date | null> {
  const ends: Date[] = []
  await onEveryShard(
    nodes,
    async (db) => {
      const { rows } = await sql<{ first: Date | null }>`
        select min(coalesce(consent_ends_at, case when token_refresh_at is null then token_expires_at end)) as first
        from connections where status = 'connected'`.execute(db)
      if (rows[0]?.first) ends.push(rows[0].first)
    },
    (error, node) => log.warn('ends of tokens not read on a node', { node: node.name, error }),
  )
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())))
}
