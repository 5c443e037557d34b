import { sentence } from './providers.ts'

const nouns: Record<string, string> = {
  payment_received: 'payment',
  lead_created: 'lead',
  appointment_booked: 'appointment',
  appointment_attended: 'attended appointment',
  appointment_missed: 'missed appointment',
  quote_presented: 'quote',
  closed_won: 'won deal',
  closed_lost: 'lost deal',
  order_placed: 'order',
}

/** An outcome type as a noun; custom types are only made readable. */
export function outcomeNoun(type: string): string {
  return nouns[type] ?? sentence(type).toLowerCase()
}
