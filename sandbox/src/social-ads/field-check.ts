/** Refuses unknown fields of a node with the platform's error. */
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { graphFields, type NodeKind } from './fields.ts'
import { graphError } from './replies.ts'

/** Fields that contain a node of another kind, whose fields are checked; other braces are not. */
const inside: Record<string, NodeKind> = {
  creative: 'AdCreative',
  campaign: 'Campaign',
  adset: 'AdSet',
}

export function refuseFields(request: SandboxRequest, kind: NodeKind): SandboxReply | null {
  const unknown = unknownField(request.query.get('fields') ?? '', kind)
  return unknown === null
    ? null
    : graphError(
        400,
        100,
        `(#100) Tried accessing nonexisting field (${unknown.name}) on node type (${unknown.kind})`,
      )
}

function unknownField(list: string, kind: NodeKind): { name: string; kind: NodeKind } | null {
  for (const { name, within } of splitFields(list)) {
    if (!graphFields[kind].has(name)) return { name, kind }
    const innerKind = inside[name]
    const unknown = within === null || innerKind === undefined ? null : unknownField(within, innerKind)
    if (unknown !== null) return unknown
  }
  return null
}

/** `a,b{c,d{e}}` becomes `a` and `b` with the text in its braces; `.limit(…)` after a name is part of it. */
export function splitFields(list: string): { name: string; within: string | null }[] {
  const parts: string[] = ['']
  let depth = 0
  for (const letter of list) {
    if ('{('.includes(letter)) depth += 1
    if ('})'.includes(letter)) depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
    .map((part) => /^(\w+)(?:\.[^{]*)?(?:\{(.*)\})?$/s.exec(part.trim()))
    .flatMap((match) => (match === null ? [] : [{ name: match[1]!, within: match[2] ?? null }]))
}
