/** A history as units that may arrive in any order that respects their dependencies. */
import type { Identifier, Page, ServerEvent, SpendRow, Step, World } from './history.ts'
import type { Random } from './random.ts'

export type Unit = { id: number; after: number[] } & (
  | { type: 'event'; recordedAt: number; event: ServerEvent & { idempotency_key: string } }
  | { type: 'page'; recordedAt: number; page: Page }
  | { type: 'retract'; key: string }
  | { type: 'spend'; rows: SpendRow[] }
  | { type: 'payment'; step: Extract<Step, { type: 'refund' | 'undo_refund' | 'installment' }> }
  | { type: 'merge'; name: string; from: Identifier; into: Identifier; at: number }
  | { type: 'undo_merge'; name: string }
)

type Body<T> = T extends unknown ? Omit<T, 'id' | 'after'> : never

/**
 * Versions of one key keep their order, and so do the merchant's changes of a payment, which follow its last
 * version; spend keeps its order, because a restatement replaces; a merge follows the events of its sides.
 */
export function toUnits(world: World): Unit[] {
  const units: Unit[] = []
  const chains = new Map<string, { last: number; recordedAt: number }>()
  const add = (body: Body<Unit>, after: number[]): number => {
    units.push({ id: units.length, after, ...body } as Unit)
    return units.length - 1
  }
  const extend = (chain: string, body: Body<Unit>, at: number, dependencies: number[] = []) => {
    const existing = chains.get(chain)
    const last = add(body, [...(existing === undefined ? [] : [existing.last]), ...dependencies])
    chains.set(chain, { last, recordedAt: existing?.recordedAt ?? at })
  }
  const paymentSteps: Extract<Step, { type: 'refund' | 'undo_refund' | 'installment' | 'retract' }>[] = []
  const merges: Extract<Step, { type: 'merge' | 'undo_merge' }>[] = []
  for (const step of world.steps)
    switch (step.type) {
      case 'events':
        for (const event of step.events) {
          const key = event.idempotency_key ?? `unit-${units.length}`
          const recordedAt = chains.get(key)?.recordedAt ?? step.at
          extend(key, { type: 'event', recordedAt, event: { ...event, idempotency_key: key } }, step.at)
        }
        break
      case 'pages':
        for (const page of step.pages) add({ type: 'page', recordedAt: step.at, page }, [])
        break
      case 'spend':
        extend('spend', { type: 'spend', rows: step.rows }, step.at)
        break
      case 'refund':
      case 'undo_refund':
      case 'installment':
      case 'retract':
        paymentSteps.push(step)
        break
      case 'merge':
      case 'undo_merge':
        merges.push(step)
        break
      default:
        break
    }
  const retracted = new Set(paymentSteps.flatMap((step) => (step.type === 'retract' ? [step.key] : [])))
  const lastNaming = new Map<string, number>()
  for (const unit of units) {
    const isFinal = unit.type === 'event' && chains.get(unit.event.idempotency_key)?.last === unit.id
    if (isFinal && !retracted.has(unit.event.idempotency_key))
      for (const name of namesOf(unit.event)) lastNaming.set(name, unit.id)
    if (unit.type === 'page' && unit.page.session_start) lastNaming.set(unit.page.anonymous_id, unit.id)
  }
  for (const step of paymentSteps) {
    if (!chains.has(step.key)) continue
    if (step.type === 'retract') extend(step.key, { type: 'retract', key: step.key }, step.at)
    else extend(step.key, { type: 'payment', step }, step.at)
  }
  for (const step of merges) {
    if (step.type === 'undo_merge') {
      if (chains.has(step.name)) extend(step.name, { type: 'undo_merge', name: step.name }, step.at)
      continue
    }
    const sides = [lastNaming.get(step.from.value), lastNaming.get(step.into.value)]
    if (sides.some((side) => side === undefined) || step.from.value === step.into.value) continue
    const { name, from, into, at } = step
    extend(name, { type: 'merge', name, from, into, at }, at, sides as number[])
  }
  return units
}

/** Identifiers that the event creates permanently, in the spelling that the generator uses for merges. */
function namesOf(event: ServerEvent): string[] {
  if (event.user_traits === undefined) return []
  const { email, external_id } = event.user_traits
  return [event.anonymous_id, email?.trim().toLowerCase(), external_id].filter((name) => name !== undefined)
}

/** A random order in which every unit follows its dependencies. */
export function shuffleUnits(units: readonly Unit[], random: Random): Unit[] {
  const done = new Set<number>()
  const waiting = [...units]
  const order: Unit[] = []
  while (waiting.length > 0) {
    const ready = waiting.filter((unit) => unit.after.every((id) => done.has(id)))
    const next = random.pick(ready)
    waiting.splice(waiting.indexOf(next), 1)
    done.add(next.id)
    order.push(next)
  }
  return order
}
