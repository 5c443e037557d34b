/** Compares payments with their flags, their linkage to ads, and explanations of credit. */

import { explainConversion } from '../../src/features/attribution/crediting/contract.ts'
import { listPaymentLinkage, listPayments } from '../../src/features/corrections/payments/contract.ts'
import type { Asking } from './asking.ts'
import { models } from './credit.ts'
import { DAY } from './decimal.ts'
import { expectedExplanation, expectedLinkage, expectedPayments, type Times } from './expected-payments.ts'

type Page = { data: unknown[]; pagination?: unknown }
type Asked = { limit: string; cursor?: string }

export class MoneyComparison {
  private readonly asking: Asking

  constructor(asking: Asking) {
    this.asking = asking
  }

  async run(): Promise<void> {
    const { asking } = this
    await this.payments('all')
    if (asking.isWanted(0.2)) await this.payments('unidentified')
    for (const model of asking.some(models, 1)) await this.linkage(model)
    await this.explanations()
  }

  private times(): Times {
    const { random, expected } = this.asking
    const whole = { from: Date.parse('2025-10-01'), to: Date.parse('2026-12-01') }
    const payments = expected.facts.payments()
    if (payments.length === 0 || random.chance(0.7)) return whole
    // Both ends are included, so a range that begins or ends at a payment contains it.
    const { at } = random.pick(payments)
    return random.chance(0.5) ? { from: at, to: at + 20 * DAY } : { from: at - 20 * DAY, to: at }
  }

  private async pages(ask: (asked: Asked) => Promise<Page>): Promise<unknown[]> {
    const limit = this.asking.random.pick(['2', '200', '200', '200'])
    const rows: unknown[] = []
    let cursor: string | null = null
    do {
      const page: Page = await ask({ limit, ...(cursor === null ? {} : { cursor }) })
      rows.push(...page.data)
      cursor = (page.pagination as { cursor: string | null }).cursor
    } while (cursor !== null)
    return rows
  }

  private async payments(status: 'all' | 'unidentified'): Promise<void> {
    const { asking } = this
    const times = this.times()
    const got = await this.pages((asked) =>
      asking.player.call(listPayments, { query: { ...toQuery(times), ...asked, status } }),
    )
    asking.check(`payments ${status}`, expectedPayments(asking.expected, times, status), got)
  }

  private async linkage(model: (typeof models)[number]): Promise<void> {
    const { asking } = this
    const times = this.times()
    const got = await this.pages((asked) =>
      asking.player.call(listPaymentLinkage, { query: { ...toQuery(times), ...asked, model } }),
    )
    asking.check(`linkage ${model}`, expectedLinkage(asking.expected, times, model), got.map(withoutIds))
  }

  private async explanations(): Promise<void> {
    const { asking } = this
    const names = await asking.conversionNames()
    const idOf = new Map([...names].map(([id, name]) => [name, id]))
    const { entries } = asking.expected.ledger
    asking.check('conversions', entries.map((entry) => entry.conversion.name).sort(), [...idOf.keys()].sort())
    for (const entry of asking.some(entries)) {
      const { name, eventId } = entry.conversion
      const isAlone = entries.every((other) => other === entry || other.conversion.eventId !== eventId)
      const id = idOf.get(name)
      if (id === undefined) continue
      const model = asking.random.pick(['all', 'all', 'all', ...models] as const)
      const { data } = await asking.player.call(explainConversion, {
        params: { id: isAlone ? asking.random.pick([id, eventId]) : id },
        query: { model },
      })
      const { conversion_id, ...rest } = data
      const explanation = {
        ...rest,
        refunds: rest.refunds.map(withoutRefundId),
        models: rest.models.map((own) => ({
          ...own,
          touches: own.touches.map((touch) => ({
            ...(withoutIds(touch) as object),
            refunds: touch.refunds.map(withoutRefundId),
          })),
        })),
      }
      asking.check(
        `explain ${name} ${model}`,
        expectedExplanation(asking.expected, entry, model),
        explanation,
      )
      asking.check(`explain ${name} id`, id, conversion_id)
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
  const own = row as Record<string, { id: string } | null>
  const named = ['campaign', 'ad_set', 'ad'].map((level) => {
    const { id: _, ...rest } = own[level] ?? { id: '' }
    return [level, own[level] === null ? null : rest]
  })
  return { ...own, ...Object.fromEntries(named) }
}
