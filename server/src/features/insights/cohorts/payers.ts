/**
 * A profile's cash in columns. Customers and first payments are in other tables under random ids: joining them and
 * sorting by customer took the database 8 of 9 s for a million payments. Here each id is looked up in a hash table as its
 * row arrives.
 */
import { UuidTable } from '../../../platform/db/copy/uuid-table.ts'
import { IntegerColumn } from '../../attribution/crediting/full/integer-column.ts'
import { Moves } from './payment-rows.ts'
import { monthOfDay } from './rules.ts'

const NONE = -1

/** Filled in this order: opening payments, refunds, cash, merged identifiers. Ids are passed as offsets in the row's bytes. */
export class Payers {
  /** Payments, followed by refunds; owned by identifiers. */
  readonly moves = new Moves()
  paymentCount = 0
  /** Conversions of opening payments, with identifier, day and time of each. */
  openings = new UuidTable()
  readonly openedBy = new IntegerColumn()
  readonly openedOn = new IntegerColumn()
  openedAt = new Float64Array(0)
  /** Identifiers; a customer is the number of its root identifier. */
  private people = new UuidTable()
  private roots = new Int32Array(0)
  /** Opening payments, followed by other payments with a refund. */
  private readonly marked = new UuidTable()
  private markedOpening = 0
  private payers = new Int32Array(0)
  /** Owned by payments. */
  private readonly refunds = new Moves()

  addOpeningPayment(view: DataView, id: number): void {
    this.marked.numberOf(view, id)
  }

  endOpeningPayments(): void {
    this.markedOpening = this.marked.size
  }

  addRefund(view: DataView, paymentId: number, day: number, minor: number): void {
    this.refunds.push(this.marked.numberOf(view, paymentId), monthOfDay(day), -minor)
  }

  endRefunds(): void {
    const expected = this.markedOpening
    this.payers = new Int32Array(this.marked.size).fill(NONE)
    // Initial sizes: most first payments are one conversion, and most customers have up to two identifiers.
    this.openings = new UuidTable(expected)
    this.openedAt = new Float64Array(expected)
    this.people = new UuidTable(expected * 2)
  }

  addCash(
    view: DataView,
    id: number,
    eventId: number,
    identifierId: number,
    day: number,
    at: number,
    minor: number,
  ): void {
    const person = this.people.numberOf(view, identifierId)
    this.moves.push(person, monthOfDay(day), minor)
    const payment = this.marked.numberOf(view, eventId, false)
    if (payment < 0) return
    this.payers[payment] = person
    if (payment < this.markedOpening) this.addOpening(this.openings.numberOf(view, id), person, day, at)
  }

  endCash(): void {
    this.paymentCount = this.moves.length
    this.roots = new Int32Array(this.people.size).fill(NONE)
    for (let refund = 0; refund < this.refunds.length; refund++) {
      const person = this.payers[this.refunds.linkOf(refund)]!
      // If the payment's conversion does not count, its refund does not either.
      if (person >= 0) this.moves.push(person, this.refunds.monthOf(refund), this.refunds.minorOf(refund))
    }
  }

  /** Ignores identifiers without payments. */
  addJoined(view: DataView, id: number, customerId: number): void {
    const person = this.people.numberOf(view, id, false)
    if (person >= 0) this.roots[person] = this.people.numberOf(view, customerId)
  }

  /** Upper bound of customer numbers. */
  get peopleCount(): number {
    return this.people.size
  }

  customerOf(person: number): number {
    const root = this.roots[person] ?? NONE
    return root < 0 ? person : root
  }

  private addOpening(opening: number, person: number, day: number, at: number): void {
    this.openedBy.push(person)
    this.openedOn.push(day)
    if (opening === this.openedAt.length) {
      const larger = new Float64Array((opening + 1) * 2)
      larger.set(this.openedAt)
      this.openedAt = larger
    }
    this.openedAt[opening] = at
  }
}
