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
    snippet: 'body: z.strictObject({ reason }),',
    replacement: 'body: z.strictObject({ reason: reason.default("none") }),',
    test: { file: tests, title: 'are dropped with a reason, which operators and the workspace can read' },
  },
]
