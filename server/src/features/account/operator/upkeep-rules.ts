/** Findings of `npm run operator -- check`, each with its remedy. Pure; the alerts use the same limits. */
import { clockWarning } from '../../../platform/clock-difference.ts'
import { waitText } from '../../../platform/secrets/rotation.ts'
import type { ServiceLag } from './contract.ts'
import type { Upkeep } from './upkeep.ts'

export type Finding = { name: string; isOk: boolean; text: string; remedy: string | null }

const MIN_FREE_SHARE = 0.1
const MAX_BACKUP_SECONDS = 2 * 86_400
const MAX_WORKER_SECONDS = 60
const VERSION_DAYS = 30
const TOKEN_DAYS = 7
const CERTIFICATE_DAYS = 14

export function assessUpkeep(
  upkeep: Upkeep,
  lag: Pick<ServiceLag, 'worker_heartbeat_age_seconds' | 'jobs' | 'events' | 'webhooks'>,
): Finding[] {
  return [
    ...assessNodes(upkeep.nodes),
    assessWorker(lag.worker_heartbeat_age_seconds),
    ...assessProblems(lag),
    ...assessClocks(upkeep.clocks),
    assessDisk(upkeep.disk),
    assessBackup(upkeep.backupAgeSeconds),
    ...assessVersions(upkeep.versions),
    assessToken(upkeep.tokenDaysLeft),
    assessCertificate(upkeep.certificateDaysLeft),
    finding(
      'master key',
      true,
      upkeep.rotation === null ? 'no rotation waits' : waitText(upkeep.rotation),
      '',
    ),
  ]
}

function finding(name: string, isOk: boolean, text: string, remedy: string): Finding {
  return { name, isOk, text, remedy: isOk ? null : remedy }
}

const assessNodes = (nodes: Upkeep['nodes']) =>
  nodes.map(({ name, isUp }) =>
    finding(
      `database ${name}`,
      isUp,
      isUp ? 'answers' : 'does not answer',
      'Start it, or promote its standby; nothing else has to be restarted.',
    ),
  )

function assessWorker(age: number | null): Finding {
  const text = age === null ? 'no worker has ever run' : `last looked for jobs ${Math.round(age)} s ago`
  const isOk = age !== null && age <= MAX_WORKER_SECONDS
  return finding('worker', isOk, text, 'Start a process with ROLE=worker or ROLE=all.')
}

function assessProblems({ jobs, events, webhooks }: Pick<ServiceLag, 'jobs' | 'events' | 'webhooks'>) {
  const counts = {
    'dead-jobs': jobs.dead,
    'quarantined-events': events.quarantined,
    'stuck-deliveries': webhooks.stuck,
  }
  return Object.entries(counts).map(([kind, count]) =>
    finding(kind, count === 0, String(count), `npm run operator -- list ${kind}, then retry or drop them.`),
  )
}

const assessClocks = (clocks: Upkeep['clocks']) =>
  clocks.map(({ host, pid, clock_ahead_seconds: ahead }) => {
    const warning = ahead === null ? undefined : clockWarning(ahead)
    const text =
      ahead === null ? 'not reported by this release' : `${ahead.toFixed(1)} s ahead of the database`
    const remedy = 'Synchronise the clocks of the service and of the database (NTP).'
    return finding(`clock of ${host}:${pid}`, warning === undefined, text, remedy)
  })

function assessDisk(disk: Upkeep['disk']): Finding {
  if (disk === null) return finding('disk', true, 'no DATA_DIR', '')
  const share = disk.freeBytes / disk.sizeBytes
  const gigabytes = (disk.freeBytes / 1024 ** 3).toFixed(1)
  const text = `${Math.floor(share * 100)} % of DATA_DIR's disk free (${gigabytes} GB)`
  return finding(
    'disk',
    share >= MIN_FREE_SHARE,
    text,
    'Free space or enlarge the disk; when it is full, writes are refused.',
  )
}

function assessBackup(age: number | null): Finding {
  const name = 'backup'
  if (age === null) return finding(name, true, 'left to the tools of the database server', '')
  const isOk = age <= MAX_BACKUP_SECONDS
  return finding(
    name,
    isOk,
    `none for ${(age / 3600).toFixed(1)} hours`,
    'npm run backup -- <new file>, every day (cron).',
  )
}

const assessVersions = (versions: Upkeep['versions']) =>
  versions.map(({ name, daysLeft }) =>
    finding(
      `API version of ${name}`,
      daysLeft > VERSION_DAYS,
      daysLeft < 0 ? `ended ${-daysLeft} days ago` : `ends in ${daysLeft} days`,
      'Update Whence; after the end, calls to this platform fail.',
    ),
  )

function assessToken(days: number | null): Finding {
  const name = 'authorizations'
  if (days === null) return finding(name, true, 'none ends by itself', '')
  const text = days < 0 ? 'one has ended' : `the first ends in ${Math.floor(days)} days`
  return finding(
    name,
    days > TOKEN_DAYS,
    text,
    'The owner reconnects the account on the connections page, which shows the day.',
  )
}

function assessCertificate(days: Upkeep['certificateDaysLeft']): Finding {
  const name = 'certificate'
  if (days === null) return finding(name, true, 'BASE_URL is not https', '')
  if (days === undefined)
    return finding(
      name,
      false,
      'could not be read',
      'Open BASE_URL from this machine: its TLS proxy does not answer.',
    )
  const text = days < 0 ? 'has ended' : `ends in ${Math.floor(days)} days`
  return finding(
    name,
    days > CERTIFICATE_DAYS,
    text,
    'Renew it at the proxy that ends TLS, and reload the proxy.',
  )
}
