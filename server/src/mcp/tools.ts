/**
 * Builds MCP tools from contract entries with an `mcp` field: names, schemas, and the location of each argument in
 * the API call.
 */
import { z } from 'zod'
import type { Caller } from '../context.ts'
import { satisfiesScope, scopesOfUserToken } from '../platform/contract/access.ts'
import type { Endpoint, McpTool } from '../platform/contract/endpoint.ts'
import { REQUIRED } from '../platform/contract/fields.ts'
import type { Route } from '../platform/http/route.ts'

type JsonSchema = { [keyword: string]: unknown }
type ArgumentLocation = 'params' | 'query' | 'body'

export type Tool = {
  name: string
  route: Route
  mcp: McpTool
  isWrite: boolean
  /** True if the tool works on one profile; others work for the caller. */
  ofProfile: boolean
  /** Location of each argument in the API call. */
  locations: ReadonlyMap<string, ArgumentLocation>
  arguments: JsonSchema
  required: readonly string[]
}

/** Who may use a tool: an API key of one profile, or the token of a person. */
export type McpCaller = Extract<Caller, { kind: 'key' | 'user' }>

/** Derived from the profile. */
const derived = new Set(['workspaceId', 'profile_ids'])

/** Only available in the API: each argument of a tool costs tokens in every conversation. */
const apiOnly = new Set(['as_of', 'by_day'])

export function toolsOf(routes: readonly Route[]): Tool[] {
  return routes.flatMap((route) => (route.entry.mcp === undefined ? [] : [toTool(route, route.entry.mcp)]))
}

/** Arguments whose names say what they are: the text in the reference would cost tokens in every conversation. */
const clearNames = new Set(
  'amount_max amount_min channel cursor customer_id daily_budget date_from date_to email entity_ids erasure_id first_only from group_by id level lifetime_budget model payment_id phone search to workspace_id'.split(
    ' ',
  ),
)

export const toolName = (operation: string) =>
  operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function toTool(route: Route, mcp: McpTool): Tool {
  const { entry } = route
  const locations = new Map<string, ArgumentLocation>()
  const properties: JsonSchema = {}
  const required: string[] = []
  for (const location of ['params', 'query', 'body'] as const) {
    const schema = entry[location]
    if (schema === null) continue
    const part = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: shorten })
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      if (derived.has(name) || apiOnly.has(name)) continue
      locations.set(name, location)
      const { [REQUIRED]: isRequired, ...schemaOfArgument } = property as JsonSchema
      if (clearNames.has(name)) delete schemaOfArgument.description
      properties[name] = name === 'limit' ? { type: 'integer' } : schemaOfArgument
      if (isRequired === true || part.required?.includes(name) === true) required.push(name)
    }
  }
  return {
    name: toolName(entry.name),
    route,
    mcp,
    isWrite: entry.method !== 'GET',
    ofProfile: entry.access.kind === 'profile' || entry.access.kind === 'workspace',
    locations,
    arguments: properties,
    required,
  }
}

/**
 * Shortens schemas to save tokens in every conversation: the API validates lengths, bounds and patterns and reports
 * errors.
 */
function shorten({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const checkedByApi = [
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'format',
    '$schema',
    'additionalProperties',
  ]
  for (const keyword of checkedByApi) delete (jsonSchema as JsonSchema)[keyword]
  // The values of an enum imply their type.
  if (jsonSchema.enum !== undefined) delete jsonSchema.type
}

export function canCall(tool: Tool, caller: McpCaller): boolean {
  const { access, method } = tool.route.entry
  const grantedScopes = caller.kind === 'key' ? caller.scopes : scopesOfUserToken(caller.scopes)
  if (!caller.scopes.includes(tool.isWrite ? 'mcp:write' : 'mcp:read')) return false
  switch (access.kind) {
    case 'profile':
      return access.scopes.every((scope) => satisfiesScope(grantedScopes, scope, null))
    case 'workspace':
      if (caller.kind !== 'user') return false
      return (method === 'GET' && access.tokens === 'any') || caller.scopes.includes('workspaces:write')
    default:
      return caller.kind === 'user'
  }
}

const text = { type: 'string' }
const forWrites = {
  mode: {
    enum: ['preview', 'dry_run', 'confirm'],
    default: 'preview',
    description: 'confirm applies the preview',
  },
  confirmation: { ...text, description: 'From the preview; single use' },
  idempotency_key: { ...text, description: 'For confirm; reuse to retry' },
}
const forReads = { format: { enum: ['concise', 'detailed'], default: 'concise' } }

/** The tool as listed by `tools/list`. A key belongs to one profile; a person must pass one. */
export function describeTool(tool: Tool, caller: McpCaller) {
  const asksProfile = tool.ofProfile && caller.kind === 'user'
  return {
    name: tool.name,
    description: tool.mcp.description,
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...(asksProfile ? { profile_id: text } : {}),
        ...tool.arguments,
        ...(tool.isWrite ? forWrites : forReads),
      },
      required: [...(asksProfile ? ['profile_id'] : []), ...tool.required],
      additionalProperties: false,
    },
    outputSchema: outputSchemaOf(tool),
    annotations: annotationsOf(tool.route.entry),
  }
}

function outputSchemaOf(tool: Tool) {
  if (tool.isWrite)
    return {
      type: 'object' as const,
      properties: { outcome: text, before: {}, after: {}, confirmation: {}, api_call: { type: 'object' } },
      required: ['outcome', 'api_call'],
    }
  const isList = tool.route.entry.reply instanceof z.ZodArray
  return {
    type: 'object' as const,
    properties: {
      data: { type: isList ? 'array' : 'object' },
      api_call: {},
      result_hash: text,
    },
    required: ['data'],
  }
}

function annotationsOf({ method, path }: Endpoint) {
  if (method === 'GET') return { readOnlyHint: true, openWorldHint: false }
  return {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: path.includes('campaign'),
  }
}
