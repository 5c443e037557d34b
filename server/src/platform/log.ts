/**
 * Structured logs: one JSON object per line, from an allow list of fields, never bodies, tokens or hand-off
 * queries.
 */
import { redact } from './redact.ts'

const order = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const
export type LogLevel = keyof typeof order

export type LogFields = {
  request_id?: string
  method?: string
  route?: string
  status?: number
  duration_ms?: number
  code?: string
  profile_id?: string
  /** Node of a distributed database. */
  node?: string
  workspace_id?: string
  job?: string
  job_id?: string
  attempt?: number
  provider?: string
  connection_id?: string
  handoff_id?: string
  count?: number
  event_id?: string
  error?: unknown
}

export type Log = { [L in Exclude<LogLevel, 'silent'>]: (message: string, fields?: LogFields) => void }

export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => process.stderr.write(line),
): Log {
  const at =
    (messageLevel: Exclude<LogLevel, 'silent'>) =>
    (message: string, fields: LogFields = {}) => {
      if (order[messageLevel] < order[level]) return
      const { error, ...plainFields } = fields
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: messageLevel, message: redact(message), ...redactFields(plainFields), ...(error === undefined ? {} : { error: describe(error) }) })}\n`,
      )
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const redactFields = (fields: LogFields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  )

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return redact(String(error))
  return {
    name: error.name,
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  }
}
