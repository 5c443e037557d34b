/**
 * One log line when the database becomes unavailable, one a minute during the outage, and one when it is back,
 * instead of a stack trace for every loop, job and request. Other errors are logged unchanged.
 */
import { isDatabaseUnavailable } from './db/database.ts'
import type { Log, LogFields } from './log.ts'

const PROBE_MS = 1000
const REMINDER_MS = 60_000
/** The server cancelled one statement, or a migration invalidated a plan: the database itself is available. */
const statementErrors = new Set(['57014', '0A000'])

export type OutageLog = Log & { stop(): void }

type Outage = { since: number; errors: number; reportedAt: number }

export function isOutage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return isDatabaseUnavailable(error) && !statementErrors.has(code)
}

/** `isBack` is called every second during an outage, and must not reject. */
export function collapseOutages(
  log: Log,
  isBack: () => Promise<boolean>,
  { probeMs = PROBE_MS, reminderMs = REMINDER_MS } = {},
): OutageLog {
  const outages = new Map<string, Outage>()
  let timer: NodeJS.Timeout | undefined

  function note(level: 'warn' | 'error', message: string, fields: LogFields): void {
    const target = fields.node ?? 'database'
    const outage = outages.get(target)
    if (outage !== undefined) {
      outage.errors++
      return
    }
    const now = performance.now()
    outages.set(target, { since: now, errors: 1, reportedAt: now })
    const { error, ...otherFields } = fields
    const reason = error instanceof Error ? error.message : String(error)
    log[level](`database unavailable: ${message}; further errors are counted until it is back`, {
      ...otherFields,
      error: reason,
    })
    timer ??= setTimeout(probe, probeMs).unref()
  }

  async function probe(): Promise<void> {
    if (!(await isBack())) {
      remind()
      if (timer !== undefined) timer = setTimeout(probe, probeMs).unref()
      return
    }
    timer = undefined
    for (const [target, outage] of outages) report('database available again', target, outage)
    outages.clear()
  }

  function remind(): void {
    for (const [target, outage] of outages) {
      if (performance.now() - outage.reportedAt < reminderMs) continue
      outage.reportedAt = performance.now()
      report('database still unavailable', target, outage)
    }
  }

  function report(message: string, target: string, { since, errors }: Outage): void {
    log.warn(message, {
      ...(target === 'database' ? {} : { node: target }),
      count: errors,
      duration_ms: Math.round(performance.now() - since),
    })
  }

  const at =
    (level: 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) => {
      if (isOutage(fields.error)) note(level, message, fields)
      else log[level](message, fields)
    }
  return {
    ...log,
    warn: at('warn'),
    error: at('error'),
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
