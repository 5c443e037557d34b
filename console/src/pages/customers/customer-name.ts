type Contact = {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone: string | null
}

/** The customer's name, else email or phone, else the end of the id. */
export function customerName({
  contact,
  customer_id,
}: {
  contact: Contact | null
  customer_id: string
}): string {
  const name = [contact?.first_name, contact?.last_name].filter(Boolean).join(' ')
  return name || contact?.email || contact?.phone || `Visitor ${customer_id.slice(-6)}`
}

/** Contact details that are not already shown as the name. */
export function customerReach({ contact }: { contact: Contact | null }): string {
  const hasName = Boolean(contact?.first_name ?? contact?.last_name)
  const ways = [contact?.email, contact?.phone].filter(Boolean)
  return ways.slice(hasName ? 0 : 1).join(' · ')
}
