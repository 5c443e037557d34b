/** Compares payments with their flags, their linkage to ads, and explanations of credit. */

import { explainConversion } from '../../src/features/attribution/crediting/contract.ts'
import { listPaymentLinkage, listPayments } from '../../src/features/corrections/payments/contract.ts'
import type { ComparisonSetup } from './comparison-setup.ts'
import { models } from './credit.ts'
import { DAY } from './decimal.ts'
import { expectedExplanation, expectedLinkage, expectedPayments, type Times } from './expected-payments.ts'

type Page = { data: unknown[]; pagination?: unknown }
type Asked = { limit: string; cursor?: string }

export class MoneyComparison {
  private readonly setup: ComparisonSetup

  constructor(setup: ComparisonSetup) {
    this.setup = setup
  }

  async run(): Promise<void> {
    const { setup } = this
    await this.payments('all')
    if (setup.isWanted(0.2)) await this.payments('unidentified')
    for (const model of setup.some(models, 1)) await this.linkage(model)
    await this.explanations()
  }

  private times(): Times {
    const { random, expected } = this.setup
    const allTime = { from: Date.parse('2025-10-01'), to: Date.parse('2026-12-01') }
    const payments = expected.facts.payments()
    if (payments.length === 0 || random.chance(0.7)) return allTime
    // Both ends are included, so a range that begins or ends at a payment contains it.
    const { at } = random.pick(payments)
    return random.chance(0.5) ? { from: at, to: at + 20 * DAY } : { from: at - 20 * DAY, to: at }
  }

  private async pages(readPage: (query: Asked) => Promise<Page>): Promise<unknown[]> {
    const limit = this.setup.random.pick(['2', '200', '200', '200'])
    const rows: unknown[] = []
    let cursor: string | null = null
    do {
      const page: Page = await readPage({ limit, ...(cursor === null ? {} : { cursor }) })
      rows.push(...page.data)
      cursor = (page.pagination as { cursor: string | null }).cursor
    } while (cursor !== null)
    return rows
  }

  private async payments(status: 'all' | 'unidentified'): Promise<void> {
    const { setup } = this
    const times = this.times()
    const got = await this.pages((page) =>
      setup.player.call(listPayments, { query: { ...toQuery(times), ...page, status } }),
    )
    setup.check(`payments ${status}`, expectedPayments(setup.expected, times, status), got)
  }

  private async linkage(model: (typeof models)[number]): Promise<void> {
    const { setup } = this
    const times = this.times()
    const got = await this.pages((page) =>
      setup.player.call(listPaymentLinkage, { query: { ...toQuery(times), ...page, model } }),
    )
    setup.check(`linkage ${model}`, expectedLinkage(setup.expected, times, model), got.map(withoutIds))
  }

  private async explanations(): Promise<void> {
    const { setup } = this
    const names = await setup.conversionNames()
    const idOf = new Map([...names].map(([id, name]) => [name, id]))
    const { entries } = setup.expected.ledger
    setup.check('conversions', entries.map((entry) => entry.conversion.name).sort(), [...idOf.keys()].sort())
    for (const entry of setup.some(entries)) {
      const { name, eventId } = entry.conversion
      const isAlone = entries.every((other) => other === entry || other.conversion.eventId !== eventId)
      const id = idOf.get(name)
      if (id === undefined) continue
      const model = setup.random.pick(['all', 'all', 'all', ...models] as const)
      const { data } = await setup.player.call(explainConversion, {
        params: { id: isAlone ? setup.random.pick([id, eventId]) : id },
        query: { model },
      })
      const { conversion_id, ...answer } = data
      const explanation = {
        ...answer,
        refunds: answer.refunds.map(withoutRefundId),
        models: answer.models.map((modelAnswer) => ({
          ...modelAnswer,
          touches: modelAnswer.touches.map((touch) => ({
            ...(withoutIds(touch) as object),
            refunds: touch.refunds.map(withoutRefundId),
          })),
        })),
      }
      setup.check(`explain ${name} ${model}`, expectedExplanation(setup.expected, entry, model), explanation)
      setup.check(`explain ${name} id`, id, conversion_id)
    }
  }
}

function withoutRefundId({ refund_id: _, ...refund }: { refund_id: string }): unknown {
  return refund
}

function toQuery({ from, to }: Times) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** Entities are identified by their platform's id and name. */
function withoutIds(row: unknown): unknown {
  const entities = row as Record<string, { id: string } | null>
  const entityEntries = ['campaign', 'ad_set', 'ad'].map((level) => {
    const { id: _, ...fields } = entities[level] ?? { id: '' }
    return [level, entities[level] === null ? null : fields]
  })
  return { ...entities, ...Object.fromEntries(entityEntries) }
}
