type Payer = {
  payer: {
    contact: {
      first_name: string | null
      last_name: string | null
      email: string | null
      phone: string | null
    } | null
    contact_withheld: boolean
  } | null
}

/** The payer's name, or the best substitute. */
export function payerText({ payer }: Payer): string {
  if (payer === null) return 'Unknown payer'
  const { contact } = payer
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
  return (
    name ||
    contact?.email ||
    contact?.phone ||
    (payer.contact_withheld ? 'Customer (contact hidden)' : 'Anonymous visitor')
  )
}
