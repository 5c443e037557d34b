/** Prepares recorded responses for the documentation: short, deterministic, and without secrets. */
import { EXAMPLE_ID, exampleValues } from '../../src/platform/contract/example-values.ts'
import type { RecordedAnswer } from '../../src/platform/contract/examples.ts'
import { secretForms } from '../../src/platform/redact.ts'

type Known = {
  /** Replacements of these ids; all others get the next number. */
  ids: Record<string, string>
  texts: Record<string, string>
  /** The service's time of the recording. */
  recordedAt: Date
  /** The machine's time in the middle of the recording, which keys and sessions use. */
  machineNow: Date
}

const DAY = 86_400_000
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+0000)$/
/** Values that were valid in the test only, but look like real secrets. */
const secrets: readonly [RegExp, string][] = [
  [/\b[A-Z2-7]{32}\b/g, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  [/\b[A-Z2-7]{5}-[A-Z2-7]{5}\b/g, 'K3M2D-2QX7R'],
  // Before the other patterns, which would match parts of it.
  [/\bp=MII[A-Za-z0-9+/=]+/g, 'p=…'],
  [/\b(whence_[a-z]+)_[0-9A-Za-z]+…[0-9A-Za-z]+/g, '$1_k3…9d'],
  ...secretForms,
  [/\/connect\/[A-Za-z0-9_-]{20,}/g, '/connect/TOKEN'],
  [/\/share\/(\w+\/)?[A-Za-z0-9_-]{20,}/g, '/share/$1TOKEN'],
  [/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,64}(?![\w-])/g, 'TOKEN'],
  [/\bWyJ[A-Za-z0-9_-]{16,}/g, 'CURSOR'],
  [/\b\w+@group\.calendar\.google\.com/g, 'showroom@calendar.example'],
  // Email addresses of the imitated platforms.
  [/[\w.]+@example\.net\b/g, 'ana@example.com'],
  [/\bapp_[0-9a-f]{16,24}\b/g, String(exampleValues.client_id)],
  [/\bgid:\/\/shopify\/WebPixel\/\d+/g, 'gid://shopify/WebPixel/…'],
  [/\b(link|item)-sandbox-[0-9a-f]{32}\b/g, '$1-sandbox-TOKEN'],
  [/\breq_[a-z2-7]{20}\b/g, 'req_k3m9d2'],
  [/\b[0-9a-f]{32}-[0-9a-f]{16,}/g, '9f86d081884c7d65-9a2feaa0c55ad015'],
  [/^[0-9a-f]{12}$/, '9f86d081884c'],
  [/\bwhence-[0-9a-f]{12}(?=\._domainkey)/g, 'whence-k3m9d2'],
  [/\bwhence_verify=[\w-]+/g, 'whence_verify=…'],
  [/\bwhence_own=[\w-]+/g, 'whence_own=…'],
  // Hashes of ids, which are new in every recording.
  [/\b[0-9a-f]{64}\b/g, String(exampleValues.result_hash)],
]

/** Fields that are null for callers without `customers:read`. */
const personal = new Set(['first_name', 'last_name', 'phone'])

/** Rounds figures from resampling: they depend on the order of ids, which are new in every recording. */
function figure(name: string, value: number): number {
  if (name === 'lift_low' || name === 'lift_high') return Math.round(value * 10) / 10
  if (name === 'p_value' || name === 'q_value') return value < 0.2 ? 0.1 : 0.7
  // Depends on the duration of the recording.
  return name.endsWith('_age_seconds') ? 4 : value
}

export function presentable(
  answers: Record<string, RecordedAnswer>,
  known: Known,
): Record<string, RecordedAnswer> {
  const ids = new Map(Object.entries(known.ids))
  const numbered = (id: string): string => {
    const next = Number.parseInt(EXAMPLE_ID.slice(-3), 16) + ids.size
    if (!ids.has(id)) ids.set(id, `${EXAMPLE_ID.slice(0, -3)}${next.toString(16)}`)
    return ids.get(id)!
  }
  const text = (value: string): string => {
    if (INSTANT.test(value)) {
      const instantText = instant(new Date(value.replace('+0000', 'Z')), known)
      return value.endsWith('Z') ? instantText : instantText.replace('.000Z', '+0000')
    }
    let output = value
    for (const [from, to] of Object.entries(known.texts)) output = output.replaceAll(from, to)
    for (const [form, instead] of secrets) output = output.replace(form, instead)
    return output.replace(UUID, numbered)
  }
  const part = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.length === 0 ? [] : [part(fullest(value))]
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        if (typeof member === 'number') return [name, figure(name, member)]
        return [name, personal.has(name) ? null : part(member)]
      }),
    )
  }
  return part(answers) as Record<string, RecordedAnswer>
}

/** The most informative element of a list: a day with sales rather than one without. */
function fullest(list: readonly unknown[]): unknown {
  const scores = list.map(detailOf)
  return list[scores.indexOf(Math.max(...scores))]
}

/** Number of informative values. */
function detailOf(value: unknown): number {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).reduce((sum: number, member) => sum + detailOf(member), 0)
  return value === null || value === 0 || value === '0.00' || value === false ? 0 : 1
}

/** Maximum duration of a recording. */
const STEP_MS = 5 * 60_000

/** Rounds times of the recording itself to five minutes, so that its duration does not matter. */
function instant(at: Date, { recordedAt, machineNow }: Known): string {
  const isMachine = Math.abs(at.getTime() - machineNow.getTime()) < 100 * DAY
  const moved = isMachine ? at.getTime() - machineNow.getTime() + recordedAt.getTime() : at.getTime()
  if (Math.abs(moved - recordedAt.getTime()) > 95 * DAY || at.getTime() % 60_000 === 0)
    return at.toISOString()
  return new Date(Math.round(moved / STEP_MS) * STEP_MS).toISOString()
}
