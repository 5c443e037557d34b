/** `npm run operator -- …`: the operator page on the command line. */
import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../config.ts'
import { ProblemId, type ProblemKind, problemKinds } from '../features/account/operator/contract.ts'
import {
  checkUpkeep,
  dropProblem,
  getOperatorStatus,
  getProblem,
  listProblems,
  listRefusedEvents,
  type Operator,
  retryProblem,
} from '../features/account/operator/operations.ts'
import type { Finding } from '../features/account/operator/upkeep-rules.ts'
import { ApiError } from '../platform/contract/errors.ts'
import { isUuid } from '../platform/contract/ids.ts'
import { type Db, databaseNow, poolOf } from '../platform/db/database.ts'
import { isBeingDistributed } from '../platform/db/distribute.ts'
import { openNodes } from '../platform/db/nodes.ts'
import { createLog } from '../platform/log.ts'
import { bundleLines } from './bundle.ts'
import { withDatabase } from './with-database.ts'

const usage = `Usage: npm run operator -- status
       npm run operator -- check
       npm run operator -- list <kind> [--profile <id>]
       npm run operator -- show <kind> <id>
       npm run operator -- retry <kind> <id>
       npm run operator -- drop <kind> <id> --reason <why>
       npm run operator -- retry <kind> --all [--profile <id>]
       npm run operator -- drop <kind> --all [--profile <id>] --reason <why>
       npm run operator -- refused [--request <id>]
       npm run operator -- refused --profile <id> [--request <id>] [--key <idempotency key>]
       npm run operator -- bundle [--log <file>]
Kinds: ${problemKinds.join(', ')}`
const LISTED = 100

export async function operatorFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const command = readArguments(args)
  return withDatabase(config, async (db) => {
    if (await isBeingDistributed(poolOf(db)))
      throw new ConfigError(
        'The tables are still being distributed over the nodes. Retry when that is complete.',
      )
    const nodes = await openNodes(db, {
      limitMs: config.DATABASE_TIMEOUT_SECONDS * 1000,
      isDirect: config.DATABASE_NODES === 'direct',
      onError: () => {},
    })
    const service = { db: db as Db, nodes, config, log: createLog(config.LOG_LEVEL) }
    try {
      const operator = { service, now: await databaseNow(db) }
      if (command.name !== 'bundle') return await runCommand(operator, command)
      return await bundleLines(config, command.log, await readSections(operator))
    } finally {
      await nodes.close()
    }
  })
}

export type Command = ProblemCommand | { name: 'bundle'; log: string | undefined }
type ProblemCommand =
  | { name: 'status' | 'check' }
  | { name: 'list'; kind: ProblemKind; profileId: string | undefined }
  | { name: 'show' | 'retry'; kind: ProblemKind; id: string }
  | { name: 'drop'; kind: ProblemKind; id: string; reason: string }
  | { name: 'retry-all'; kind: ProblemKind; profileId: string | undefined }
  | { name: 'drop-all'; kind: ProblemKind; profileId: string | undefined; reason: string }
  | { name: 'refused'; filter: Partial<Record<keyof typeof refusedOptions, string>> }

/**
 * Options of `refused`. Without a profile it lists events with an invalid credential; their body is not read, so
 * they have no key.
 */
const refusedOptions = {
  profile: { type: 'string' },
  request: { type: 'string' },
  key: { type: 'string' },
} as const
const allOptions = { profile: { type: 'string' }, reason: { type: 'string' } } as const

export function readArguments(args: readonly string[]): Command {
  const [name, kind, id, ...rest] = args
  const isKind = problemKinds.some((problemKind) => problemKind === kind)
  const option = (flag: string, values: readonly (string | undefined)[]) =>
    values.length === 2 && values[0] === flag && values[1] ? values[1] : undefined
  if ((name === 'status' || name === 'check') && args.length === 1) return { name }
  if (name === 'bundle') return { name, ...readBundleOptions(args.slice(1)) }
  if (name === 'refused') return { name, filter: readRefusedOptions(args.slice(1)) }
  const profileId = option('--profile', args.slice(2))
  if (name === 'list' && isKind && (args.length === 2 || isUuid(profileId ?? '')))
    return { name, kind: kind as ProblemKind, profileId }
  if ((name === 'retry' || name === 'drop') && isKind && id === '--all')
    return readAllCommand(name, kind as ProblemKind, rest)
  if ((name === 'show' || name === 'retry') && isKind && args.length === 3)
    return { name, ...readProblemKey(kind as ProblemKind, id!) }
  const reason = option('--reason', rest)
  if (name === 'drop' && isKind && reason !== undefined)
    return { name, ...readProblemKey(kind as ProblemKind, id!), reason }
  throw new ConfigError(usage)
}

/** All problems of a kind, or those of one profile. */
function readAllCommand(name: 'retry' | 'drop', kind: ProblemKind, args: string[]): Command {
  const { profile: profileId, reason } = parsed(args, allOptions)
  const isValid = profileId === undefined || isUuid(profileId)
  if (!isValid || (name === 'drop') !== (reason !== undefined && reason !== '')) throw new ConfigError(usage)
  return name === 'retry'
    ? { name: 'retry-all', kind, profileId }
    : { name: 'drop-all', kind, profileId, reason: reason! }
}

/** Refuses an id of another form with a message: the database would refuse it with an error about its type. */
function readProblemKey(kind: ProblemKind, id: string): { kind: ProblemKind; id: string } {
  if (ProblemId.safeParse(id).success) return { kind, id }
  throw new ConfigError(`"${id}" is not an id of a problem: copy one that \`list ${kind}\` prints.`)
}

function readBundleOptions(args: string[]): { log: string | undefined } {
  const [flag, log, ...rest] = args
  if (rest.length > 0 || (flag !== undefined && (flag !== '--log' || !log))) throw new ConfigError(usage)
  return { log }
}

/** What the other commands print. */
async function readSections(operator: Operator): Promise<Record<string, string[]>> {
  const sections: Record<string, string[]> = {}
  for (const name of ['status', 'check'] as const) sections[name] = await runCommand(operator, { name })
  for (const kind of problemKinds)
    sections[kind] = await runCommand(operator, { name: 'list', kind, profileId: undefined })
  return sections
}

function readRefusedOptions(args: string[]) {
  const { profile, ...filter } = parsed(args, refusedOptions)
  const isValid = profile === undefined ? filter.key === undefined : isUuid(profile)
  if (!isValid) throw new ConfigError(usage)
  return { ...(profile === undefined ? {} : { profile }), ...filter }
}

function parsed<Options extends typeof refusedOptions | typeof allOptions>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options }).values
  } catch (cause) {
    throw new ConfigError(usage, { cause })
  }
}

export async function runCommand(operator: Operator, command: ProblemCommand): Promise<string[]> {
  switch (command.name) {
    case 'status':
      return statusLines(await getOperatorStatus(operator))
    case 'check':
      return checkLines(await checkUpkeep(operator))
    case 'list': {
      const problems = await listProblems(operator, command.kind, {
        limit: LISTED + 1,
        profile_id: command.profileId,
      })
      if (problems.length === 0) return [`No ${command.kind}.`]
      return [
        ...problems
          .slice(0, LISTED)
          .map(({ id, what, since, reason }) =>
            [id, since.toISOString(), what, reason ?? ''].join('  ').trimEnd(),
          ),
        ...(problems.length > LISTED ? [`There are more: these are the oldest ${LISTED}.`] : []),
      ]
    }
    case 'show':
      return [JSON.stringify(await getProblem(operator, command), null, 2)]
    case 'retry':
      await retryProblem(operator, command, {})
      return [`Requeued ${command.id}.`]
    case 'drop':
      await dropProblem(operator, command, command)
      return [`Dropped ${command.id}.`]
    case 'retry-all':
      return [`Requeued ${await changeAll(operator, command, (key) => retryProblem(operator, key, {}))}.`]
    case 'drop-all':
      return [`Dropped ${await changeAll(operator, command, (key) => dropProblem(operator, key, command))}.`]
    case 'refused': {
      const { profile, request, key } = command.filter
      const refusedEvents = await listRefusedEvents(operator, {
        profileId: profile,
        requestId: request,
        idempotencyKey: key,
        limit: LISTED,
      })
      if (refusedEvents.length === 0) return ['No refused events.']
      return refusedEvents.map((event) =>
        [
          event.refused_at.toISOString(),
          event.request_id,
          event.status,
          event.code,
          event.event_name ?? '-',
          event.message,
        ].join('  '),
      )
    }
  }
}

/** Each problem once, also if it comes back meanwhile. Returns how many were changed. */
async function changeAll(
  operator: Operator,
  { kind, profileId }: { kind: ProblemKind; profileId: string | undefined },
  change: (key: { kind: ProblemKind; id: string }) => Promise<unknown>,
): Promise<string> {
  const seen = new Set<string>()
  let changed = 0
  for (;;) {
    const problems = await listProblems(operator, kind, { limit: seen.size + LISTED, profile_id: profileId })
    const remaining = problems.filter(({ id }) => !seen.has(id))
    if (remaining.length === 0) return `${changed} ${kind}`
    for (const { id } of remaining) {
      seen.add(id)
      await change({ kind, id }).then(
        () => {
          changed += 1
        },
        (error: unknown) => {
          // It was resolved meanwhile.
          if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
        },
      )
    }
  }
}

export function checkLines(findings: readonly Finding[]): string[] {
  const faults = findings.filter(({ isOk }) => !isOk)
  return [
    ...findings.flatMap(({ name, isOk, text, remedy }) => [
      `${isOk ? 'ok    ' : 'FAULT '} ${name}: ${text}`,
      ...(remedy === null ? [] : [`       ${remedy}`]),
    ]),
    faults.length === 0 ? 'No faults.' : `${faults.length} of ${findings.length} need attention.`,
  ]
}

type Status = Awaited<ReturnType<typeof getOperatorStatus>>

function statusLines({ version, build, processes, lag, nodes }: Status): string[] {
  const age = (seconds: number | null) => (seconds === null ? 'none' : `${Math.round(seconds)} s`)
  const { jobs, events, webhooks } = lag
  return [
    `Whence ${version} (build ${build})`,
    ...processes.map(
      (process) =>
        `process ${process.host}:${process.pid}  ${process.role}  ${process.version}  ${process.state}  seen ${age(process.seconds_since_seen)} ago`,
    ),
    ...nodes.map(({ name, is_up }) => `database node ${name}  ${is_up ? 'up' : 'DOWN'}`),
    `last job poll: ${age(lag.worker_heartbeat_age_seconds)}`,
    `jobs: ${jobs.ready} ready (oldest ${age(jobs.oldest_ready_age_seconds)}), ${jobs.running} running, ${jobs.scheduled} scheduled, ${jobs.dead} dead`,
    `events: ${events.waiting} waiting (oldest ${age(events.oldest_waiting_age_seconds)}), ${events.quarantined} quarantined`,
    `webhooks: ${webhooks.waiting} due (oldest ${age(webhooks.oldest_waiting_age_seconds)}), ${webhooks.stuck} stuck`,
  ]
}
