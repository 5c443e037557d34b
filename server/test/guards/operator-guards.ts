/** Operations that only operators may use. */
import type { Guard } from './guard.ts'

const operators = 'server/src/platform/access/operators.ts'
const feature = 'server/src/features/account/operator'
const tests = `${feature}/operator.test.ts`

export const operatorGuards: readonly Guard[] = [
  {
    name: 'operators: an account that OPERATORS does not list is refused',
    file: 'server/src/platform/http/authorize.ts',
    snippet: 'access.operator === true ? authorizeOperator(context) : context',
    replacement: 'context',
    test: { file: tests, title: 'see the state of the service; owners of workspaces do not' },
  },
  {
    name: 'operators: the address of the account must be a listed one',
    file: operators,
    snippet: 'config.OPERATORS.includes(user.email_lower)',
    replacement: 'true',
    test: { file: tests, title: 'see the state of the service; owners of workspaces do not' },
  },
  {
    name: 'operators: an address that was not verified does not count',
    file: operators,
    snippet: 'user.email_verified_at !== null &&',
    replacement: '',
    test: { file: tests, title: 'need a verified address' },
  },
  {
    name: 'operators: a user token of an operator is refused',
    file: `${feature}/contract.ts`,
    snippet: "{ kind: 'user', tokens: false, operator: true }",
    replacement: "{ kind: 'user', operator: true }",
    test: { file: tests, title: 'need a session; a token of the same account is refused' },
  },
  {
    name: 'operators: personal values of a job are not shown',
    file: `${feature}/problems.ts`,
    snippet: 'redact(JSON.stringify(payload))',
    replacement: 'JSON.stringify(payload)',
    test: { file: tests, title: 'are listed with their age and shown with their details' },
  },
  {
    name: 'operators: the workspace can read dropped problems with their reason',
    file: `${feature}/operations.ts`,
    snippet: 'if (workspaceId === undefined) return',
    replacement: 'if (workspaceId !== null) return',
    test: { file: tests, title: 'are dropped with a reason, which operators and the workspace can read' },
  },
  {
    name: 'operators: a drop needs a reason',
    file: `${feature}/contract.ts`,
    snippet: 'body: z.strictObject({ reason: reason.describe(',
    replacement: 'body: z.strictObject({ reason: reason.default("none").describe(',
    test: { file: tests, title: 'are dropped with a reason, which operators and the workspace can read' },
  },
  {
    name: 'upkeep: a transaction in a deadlock runs once more',
    file: 'server/src/platform/db/database.ts',
    snippet: '    if (!isConflict(error)) throw error\n',
    replacement: '    if (error !== undefined) throw error\n',
    test: {
      file: 'server/src/platform/db/database.test.ts',
      title: 'of two transactions in a deadlock one runs once more, and a second conflict is an error',
    },
  },
  {
    name: 'upkeep: a broken connection never goes back into the pool',
    file: 'server/src/platform/db/database.ts',
    snippet: 'release(connectionError ?? error)',
    replacement: 'release(error ?? connectionError)',
    test: {
      file: 'server/src/platform/db/database.test.ts',
      title: 'a query that waits for the connection of a late one gets another connection',
    },
  },
  {
    name: 'upkeep: of failed writes the cause is thrown, which shows whether they may be repeated',
    file: 'server/src/platform/db/pipelining.ts',
    snippet: 'throw failures.find((error) => !isAborted(error)) ?? failures[0]',
    replacement: 'throw failures[0]',
    test: {
      file: 'server/src/platform/db/pipelining.test.ts',
      title: 'it throws the original error, not those of the aborted transaction, after all have ended',
    },
  },
  {
    name: 'upkeep: a failed restart of the embedded database is tried again',
    file: 'server/src/platform/db/embedded/supervise.ts',
    snippet: 'for (let restarts = 0; !stopping.signal.aborted; restarts++) {',
    replacement: 'for (let restarts = 0; restarts < 1; restarts++) {',
    test: {
      file: 'server/src/platform/db/embedded.test.ts',
      title: 'it is restarted until a missing file is back',
    },
  },
  {
    name: 'upkeep: /healthz is 503 while the embedded database is away',
    file: 'server/src/platform/http/readiness.ts',
    snippet: "status: status === 'ok' ? (200 as const) : (503 as const)",
    replacement: 'status: 200 as number',
    test: {
      file: 'server/src/platform/http/metrics-access.test.ts',
      title: 'the separate address serves metrics, health and readiness only',
    },
  },
  {
    name: 'upkeep: a wrong clock is reported by /readyz',
    file: 'server/src/platform/clock-difference.ts',
    snippet: 'if (Math.abs(ahead) <= MAX_SECONDS) return undefined',
    replacement: 'if (Math.abs(ahead) >= 0) return undefined',
    test: {
      file: 'server/src/platform/http/readiness.test.ts',
      title:
        'a clock that differs from the database’s by more than a minute is reported, and the process stays ready',
    },
  },
  {
    name: 'upkeep: answers by design are no faults',
    file: 'server/src/platform/http/refuse.ts',
    snippet: 'if (status < 500 || intendedCodes.has(code)) return false',
    replacement: 'if (status < 500) return false',
    test: {
      file: 'server/src/platform/http/refuse.test.ts',
      title: 'an answer that is 5xx by design is neither logged as an error nor counted as a fault',
    },
  },
  {
    name: 'upkeep: the coordinator is among the watched nodes',
    file: `${feature}/upkeep.ts`,
    snippet: 'new Set([main, ...list()])',
    replacement: 'new Set(list())',
    test: {
      file: `${feature}/upkeep.test.ts`,
      title: '/metrics has the readiness and an unavailable coordinator, and the check prints remedies',
    },
  },
]
