/**
 * A profile's cash in columns. Customers and first payments are in other tables under random ids: joining them and
 * sorting by customer took the database 8 of 9 s for a million payments. Here each id is looked up in a hash table as its
 * row arrives.
 */
import { UuidTable } from '../../../platform/db/copy/uuid-table.ts'
import { compareWords } from '../../attribution/crediting/full/conversions.ts'
import { IntegerColumn } from '../../attribution/crediting/full/integer-column.ts'
import { Moves } from './payment-rows.ts'
import { monthOfDay } from './rules.ts'

const NONE = -1

/** Filled in this order: opening payments, refunds, cash, merged identifiers. Ids are passed as offsets in the row's bytes. */
export class Payers {
  /** Payments, followed by refunds; owned by identifiers. */
  readonly moves = new Moves()
  paymentCount = 0
  /** Conversions of opening payments, with identifier, day, times and payment (a number in `marked`) of each. */
  openings = new UuidTable()
  readonly openedBy = new IntegerColumn()
  readonly openedOn = new IntegerColumn()
  private readonly openedWith = new IntegerColumn()
  private openedAt = new Float64Array(0)
  private openingRecordedAt = new Float64Array(0)
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
    this.openingRecordedAt = new Float64Array(expected)
    this.people = new UuidTable(expected * 2)
  }

  addCash(
    view: DataView,
    id: number,
    eventId: number,
    identifierId: number,
    day: number,
    at: number,
    recordedAt: number,
    minor: number,
  ): void {
    const person = this.people.numberOf(view, identifierId)
    this.moves.push(person, monthOfDay(day), minor)
    const payment = this.marked.numberOf(view, eventId, false)
    if (payment < 0) return
    this.payers[payment] = person
    if (payment >= this.markedOpening) return
    const opening = this.openings.numberOf(view, id)
    this.openedBy.push(person)
    this.openedOn.push(day)
    this.openedWith.push(payment)
    this.setTimes(opening, at, recordedAt)
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

  /** Negative if the first opening is the earlier one: by time, time of receipt and payment, as the engine orders them. */
  compareOpenings(one: number, other: number): number {
    const { marked, openedWith, openings } = this
    return (
      this.openedAt[one]! - this.openedAt[other]! ||
      this.openingRecordedAt[one]! - this.openingRecordedAt[other]! ||
      compareWords(marked.words, openedWith.get(one) * 4, marked.words, openedWith.get(other) * 4) ||
      compareWords(openings.words, one * 4, openings.words, other * 4)
    )
  }

  private setTimes(opening: number, at: number, recordedAt: number): void {
    if (opening === this.openedAt.length) {
      this.openedAt = enlarged(this.openedAt)
      this.openingRecordedAt = enlarged(this.openingRecordedAt)
    }
    this.openedAt[opening] = at
    this.openingRecordedAt[opening] = recordedAt
  }
}

function enlarged(column: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array((column.length + 1) * 2)
  larger.set(column)
  return larger
}
