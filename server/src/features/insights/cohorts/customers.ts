/** Payments per month of customers whose first payment is in a range. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DateRange, dayNumber } from '../../../platform/contract/dates.ts'
import type { Payers } from './payers.ts'
import { monthOfDay } from './rules.ts'

const NONE = -1
const NOT_IN_RANGE = -2
/** Rows processed in a few milliseconds before yielding to the event loop. */
const ROWS_A_TURN = 20_000

export class Customers {
  /** Per month after the first, for the customer of the last `read`. */
  readonly minor: Float64Array
  readonly hasPaid: Uint8Array
  /** The month of the first payment. */
  month = 0
  private readonly known: Payers
  /** 1 for opening conversions in the range that are a customer's first. */
  private readonly isFirst: Uint8Array
  /** Head of each customer's linked list of moves. */
  private readonly last: Int32Array

  private constructor(payers: Payers, horizon: number) {
    this.known = payers
    this.minor = new Float64Array(horizon + 1)
    this.hasPaid = new Uint8Array(horizon + 1)
    this.isFirst = new Uint8Array(payers.openings.size)
    this.last = new Int32Array(payers.peopleCount).fill(NOT_IN_RANGE)
  }

  /** Consumes `payers`: its moves are relinked by customer. */
  static async of(payers: Payers, range: DateRange, horizon: number): Promise<Customers> {
    const customers = new Customers(payers, horizon)
    await customers.choose(range)
    await customers.linkMoves()
    return customers
  }

  /** Calls `onCustomer` after reading each customer. */
  async readAll(onCustomer: () => void): Promise<void> {
    for (let opening = 0; opening < this.isFirst.length; opening++) {
      if (opening % ROWS_A_TURN === 0) await nextTurn()
      if (this.read(opening)) onCustomer()
    }
  }

  /** Reads the sums of the customer with this opening conversion, valid until the next read; false if it is not selected. */
  read(opening: number): boolean {
    if (this.isFirst[opening] !== 1) return false
    const { known: payers, minor, hasPaid } = this
    const { moves, paymentCount } = payers
    minor.fill(0)
    hasPaid.fill(0)
    this.month = monthOfDay(payers.openedOn.get(opening))
    const customer = payers.customerOf(payers.openedBy.get(opening))
    for (let move = this.last[customer]!; move >= 0; move = moves.linkOf(move)) {
      const months = moves.monthOf(move) - this.month
      if (months < 0 || months >= minor.length) continue
      if (move < paymentCount) hasPaid[months] = 1
      minor[months]! += moves.minorOf(move)
    }
    return true
  }

  private async choose(range: DateRange): Promise<void> {
    const { known: payers, isFirst, last } = this
    const [from, to] = [dayNumber(range.from), dayNumber(range.to)]
    const first = await firstOpenings(payers)
    for (let opening = 0; opening < isFirst.length; opening++) {
      if (opening % ROWS_A_TURN === 0) await nextTurn()
      const day = payers.openedOn.get(opening)
      const customer = payers.customerOf(payers.openedBy.get(opening))
      if (day < from || day > to || first[customer] !== opening) continue
      isFirst[opening] = 1
      last[customer] = NONE
    }
  }

  private async linkMoves(): Promise<void> {
    const { known: payers, last } = this
    const { moves } = payers
    for (let move = 0; move < moves.length; move++) {
      if (move % ROWS_A_TURN === 0) await nextTurn()
      const customer = payers.customerOf(moves.linkOf(move))
      const before = last[customer]!
      if (before === NOT_IN_RANGE) continue
      moves.link(move, before)
      last[customer] = move
    }
  }
}

/** The earliest opening conversion per customer, or -1. */
async function firstOpenings(payers: Payers): Promise<Int32Array> {
  const first = new Int32Array(payers.peopleCount).fill(NONE)
  for (let opening = 0; opening < payers.openings.size; opening++) {
    if (opening % ROWS_A_TURN === 0) await nextTurn()
    const customer = payers.customerOf(payers.openedBy.get(opening))
    const other = first[customer]!
    if (other < 0 || payers.compareOpenings(opening, other) < 0) first[customer] = opening
  }
  return first
}
