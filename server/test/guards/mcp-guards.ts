/** Permissions of assistants. */
import type { Guard } from './guard.ts'

const calls = 'server/src/mcp/mcp.test.ts'
const writes = 'server/src/mcp/writeback.test.ts'

export const mcpGuards: readonly Guard[] = [
  {
    name: 'mcp: a tool needs the scopes of its route',
    file: 'server/src/mcp/tools.ts',
    snippet: 'return access.scopes.every((scope) => satisfiesScope(grantedScopes, scope, null))',
    replacement: 'return true',
    test: { file: calls, title: 'contains the tools that the scopes allow, in a fixed order' },
  },
  {
    name: 'mcp: personal values need the scope and the workspace',
    file: 'server/src/mcp/server.ts',
    snippet: "settings.pii_mode === 'full_default' &&",
    replacement: '',
    test: { file: calls, title: 'masks personal values unless both the scope and the workspace allow them' },
  },
  {
    name: 'mcp: a profile of another tenant is unknown',
    file: 'server/src/mcp/server.ts',
    snippet: 'if (profile === undefined || permissions === undefined)',
    replacement: 'if (profile === undefined)',
    test: {
      file: calls,
      title: 'of a person needs one of their profiles; a foreign one gets the same error as an unknown one',
    },
  },
  {
    name: 'mcp: a write needs its own preview',
    file: 'server/src/features/account/mcp/audit-queries.ts',
    snippet: 'and arguments_digest = ${params.digest} and expires_at > ${params.now}',
    replacement: '',
    test: {
      file: writes,
      title: 'a confirmation is valid only for the previewed change and until it expires, and is required',
    },
  },
  {
    name: 'mcp: a preview is confirmed once',
    file: 'server/src/features/account/mcp/audit-queries.ts',
    snippet: 'and (confirmed_at is null or idempotency_key = ${params.idempotencyKey})',
    replacement: '',
    test: {
      file: writes,
      title: 'a preview writes nothing; confirming it writes once, and every step is audited',
    },
  },
  {
    name: 'mcp: failing writes stop',
    file: 'server/src/mcp/writeback.ts',
    snippet: '>= BREAKER_FAILURES)',
    replacement: '>= 1000)',
    test: {
      file: writes,
      title: 'three failures in half an hour open the circuit breaker for writes of the profile',
    },
  },
]
