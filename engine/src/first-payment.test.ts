import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstPayments, type Payment } from './first-payment.ts'
import { DAY_MS } from './models.ts'

/** An independent, declarative implementation of the rules, which checks each payment against all others. */
function oracle(payments: readonly Payment[]): string[] {
  const week = 7 * 24 * 60 * 60 * 1000
  const tag = (p: Payment) => (p.source === 'integration' ? null : p.subjectRef)
  const isEarlier = (a: Payment, b: Payment) => {
    if (a.occurredAt !== b.occurredAt) return a.occurredAt < b.occurredAt
    if (a.recordedAt !== b.recordedAt) return a.recordedAt < b.recordedAt
    return a.id < b.id
  }
  const earlierThan = (p: Payment) => payments.filter((other) => isEarlier(other, p))
  const isWithinWeek = (p: Payment, opening: Payment) => p.occurredAt <= opening.occurredAt + week
  const isFirst = (p: Payment): boolean => {
    if (p.isInstallment) return false
    const earlier = earlierThan(p)
    if (tag(p) === null) {
      if (earlier.some((other) => tag(other) !== null)) return false
      if (earlier.length === 0) return true
      const opening = earlier.find((other) => earlierThan(other).length === 0)!
      return !opening.isInstallment && isWithinWeek(p, opening)
    }
    const sameSubject = earlier.filter((other) => tag(other) === tag(p))
    const opening = sameSubject.find((other) => !sameSubject.some((rival) => isEarlier(rival, other))) ?? p
    if (opening.isInstallment || !isWithinWeek(p, opening)) return false
    return earlierThan(opening).every((other) => tag(other) !== null)
  }
  return payments
    .filter(isFirst)
    .map((p) => p.id)
    .sort()
}

const anyPayments = fc
  .array(
    fc.record({
      occurredAt: fc.oneof(
        fc.integer({ min: 0, max: 4 }).map((slot) => slot * 3.5 * DAY_MS),
        fc.integer({ min: 0, max: 20 * DAY_MS }),
      ),
      recordedAt: fc.integer({ min: 0, max: 2 }),
      subjectRef: fc.constantFrom(null, null, 'ana', 'ben', 'cleo'),
      source: fc.constantFrom<Payment['source']>('events', 'events', 'events', 'integration'),
      isInstallment: fc.constantFrom(false, false, false, false, true),
    }),
    { maxLength: 8 },
  )
  .map((payments) => payments.map((payment, i) => ({ id: `p${i}`, ...payment })))

function makePayment(id: string, day: number, overrides: Partial<Payment> = {}): Payment {
  const at = day * DAY_MS
  const plain = { subjectRef: null, source: 'events', isInstallment: false } as const
  return { id, occurredAt: at, recordedAt: at, ...plain, ...overrides }
}

const first = (...payments: Payment[]) => [...firstPayments(payments).keys()].join()

describe('first payments', () => {
  it('agree with the independent implementation in 50,000 random histories', () => {
    fc.assert(
      fc.property(anyPayments, (payments) => {
        const flagged = [...firstPayments(payments).keys()].sort()
        if (flagged.join() !== oracle(payments).join()) expect(flagged).toEqual(oracle(payments))
      }),
      { numRuns: 50_000 },
    )
  })

  it('do not depend on the order of the payments', () => {
    const anyOrders = anyPayments.chain((payments) =>
      fc.tuple(
        fc.constant(payments),
        fc.shuffledSubarray(payments, { minLength: payments.length, maxLength: payments.length }),
      ),
    )
    fc.assert(
      fc.property(anyOrders, ([payments, shuffled]) => {
        expect(firstPayments(shuffled)).toEqual(firstPayments(payments))
      }),
    )
  })

  it('include the balance of a deposit within exactly 7 days', () => {
    const late = makePayment('late', 7, { occurredAt: 7 * DAY_MS + 1 })
    expect(first(makePayment('deposit', 0), makePayment('balance', 7), late)).toBe('deposit,balance')
  })

  it('have one opening payment each, regardless of later balances', () => {
    const ana = makePayment('ana', 1, { subjectRef: 'ana' })
    const balance = makePayment('rest', 2, { subjectRef: 'ana' })
    const ben = makePayment('ben', 3, { subjectRef: 'ben' })
    expect([...firstPayments([balance, ben, ana])]).toEqual([
      ['ana', 'opens'],
      ['rest', 'balance'],
      ['ben', 'opens'],
    ])
  })

  it('exist once per subject, but not after an untagged payment', () => {
    const ana = makePayment('ana', 0, { subjectRef: 'ana' })
    const ben = makePayment('ben', 40, { subjectRef: 'ben' })
    expect(first(ana, ben, makePayment('ana-again', 60, { subjectRef: 'ana' }))).toBe('ana,ben')
    expect(first(ana, makePayment('untagged', 20), ben)).toBe('ana')
  })

  it('are never untagged after a tagged payment, even within 7 days', () => {
    expect(first(makePayment('tagged', 0, { subjectRef: 'ana' }), makePayment('untagged', 1))).toBe('tagged')
  })

  it('follow the per-customer rule if an integration reported an earlier payment, even one with a tag', () => {
    const imported = makePayment('imported', 0, { source: 'integration', subjectRef: 'ana' })
    expect(first(imported, makePayment('ben', 30, { subjectRef: 'ben' }))).toBe('imported')
  })

  it('are never an installment or a payment after an opening installment', () => {
    expect(first(makePayment('sale', 0), makePayment('installment', 2, { isInstallment: true }))).toBe('sale')
    expect(first(makePayment('installment', 0, { isInstallment: true }), makePayment('sale', 2))).toBe('')
  })
})
