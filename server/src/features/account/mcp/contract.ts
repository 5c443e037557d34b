import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, OccurredAt, ProfileId, WorkspaceParams } from '../../../platform/contract/fields.ts'
import { Pagination, pageQuery } from '../../../platform/contract/page.ts'

const tag = 'mcp'
const ToolName = z.string().regex(/^[a-z][a-z_]{1,63}$/, 'must be the name of a tool, such as list_campaigns')

const settings = {
  enabled: z.boolean().describe('If false, every tool call on profiles of this workspace is refused'),
  writeback_enabled: z
    .boolean()
    .describe('If true, assistants may change campaigns and payments, with preview and confirmation'),
  pii_mode: z
    .enum(['masked', 'full_default'])
    .describe(
      '`full_default` shows personal values to tokens with `mcp:read_pii`; on healthcare profiles they are always masked',
    ),
  allowed_tools: z
    .array(ToolName)
    .max(100)
    .nullable()
    .describe('Null allows every tool. Unknown names are ignored'),
  max_rows: z.int().min(1).max(200).describe('Maximum number of rows in a tool result'),
  budget_step_percent: z.int().min(1).max(50).describe('Largest change of a budget in one write, in percent'),
  require_confirmation: z
    .boolean()
    .describe('If true, a write requires a preview of the same change; if false, only an idempotency key'),
}

export const McpSettings = z.object({
  ...settings,
  updated_by: z.uuid().nullable().describe('User who last saved the settings; null while the defaults apply'),
  updated_at: Instant.nullable().describe('When it was last changed; null if it never was'),
})

export const getMcpSettings = endpoint({
  name: 'getMcpSettings',
  method: 'GET',
  path: '/workspaces/{workspaceId}/mcp-settings',
  summary: 'Get the settings for assistants (MCP)',
  description:
    'Settings of the MCP server at `/mcp`. The defaults are: enabled, no writes, personal values masked, every tool, 100 rows, budget steps of 50 percent, confirmation required.',
  tag,
  access: { kind: 'workspace', role: 'viewer' },
  params: WorkspaceParams,
  reply: McpSettings,
})

export const putMcpSettings = endpoint({
  name: 'putMcpSettings',
  method: 'PUT',
  path: '/workspaces/{workspaceId}/mcp-settings',
  summary: 'Replace the settings for assistants (MCP)',
  description:
    'All fields are required. The change is recorded in the audit log. A healthcare workspace refuses `full_default` with 409 `invalid_state`.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  body: z.strictObject(settings),
  reply: McpSettings,
  errors: ['invalid_state'],
  example: {
    body: {
      enabled: true,
      writeback_enabled: true,
      pii_mode: 'masked',
      allowed_tools: null,
      max_rows: 100,
      budget_step_percent: 20,
      require_confirmation: true,
    },
  },
})

const outcomes = ['previewed', 'applied', 'no_change', 'refused', 'failed'] as const

export const McpWriteback = z.object({
  id: z.uuid().describe('Id of the entry'),
  occurred_at: OccurredAt,
  profile_id: ProfileId,
  user_id: z.uuid().nullable().describe('Null for an API key, which does not act for a person'),
  client_id: z
    .string()
    .nullable()
    .describe('OAuth client to which the token was issued; null for an API key or a user token'),
  client_name: z
    .string()
    .nullable()
    .describe('Name of the client, the token or the key; null if it has none'),
  tool: z.string().describe('Name of the tool'),
  mode: z
    .enum(['preview', 'dry_run', 'confirm'])
    .describe('Whether it was a preview, a dry run or a confirmed write'),
  arguments: z
    .record(z.string(), z.unknown())
    .describe('As sent, with email addresses and phone numbers removed'),
  outcome: z.enum(outcomes).describe('What became of the call'),
  error_code: z
    .string()
    .nullable()
    .describe(
      '`outcome_unknown` until the platform responds; permanent if the process stopped before that. Null without an error',
    ),
  before: z
    .unknown()
    .nullable()
    .describe('State at the platform when the preview was created; null if there was no preview'),
  after: z.unknown().nullable().describe('Result of the write; null if nothing was written'),
  idempotency_key: z.string().nullable().describe('Idempotency key of the call; null if none was sent'),
  confirmation: z
    .enum(['elicited', 'argument', 'none'])
    .describe(
      'elicited: confirmed by the person in the client; argument: by an argument of the call; none: not confirmed',
    ),
  request_id: z
    .string()
    .nullable()
    .describe('Id of the request, also in the header X-Request-Id; null if no request was sent'),
})

export const listMcpWritebacks = endpoint({
  name: 'listMcpWritebacks',
  method: 'GET',
  path: '/workspaces/{workspaceId}/mcp-writeback-audits',
  summary: 'List previews and writes of assistants',
  description: 'Newest first, each with the state before and after.',
  tag,
  access: { kind: 'workspace', role: 'admin' },
  params: WorkspaceParams,
  query: z.object({
    ...pageQuery,
    profile_id: ProfileId.optional(),
    tool: z.string().max(64).optional().describe('Only calls of this tool'),
    outcome: z.enum(outcomes).optional().describe('Only calls with this outcome'),
  }),
  reply: z.array(McpWriteback),
  extra: { pagination: Pagination },
})
