/** Fields of a sale, with the headings by which their columns are recognised. */
export const saleFields = {
  date: {
    label: 'Date',
    names: ['date', 'datetime', 'time', 'timestamp', 'sold at', 'created at', 'paid at', 'fecha'],
  },
  amount: {
    label: 'Amount',
    names: ['amount', 'total', 'value', 'price', 'revenue', 'sum', 'importe', 'monto', 'precio'],
  },
  currency: { label: 'Currency', names: ['currency', 'currency code', 'moneda', 'divisa'] },
  order_id: {
    label: 'Order or receipt number',
    names: ['order', 'order id', 'order number', 'receipt', 'receipt number', 'invoice', 'pedido', 'factura'],
  },
  email: { label: 'Email', names: ['email', 'e mail', 'email address', 'customer email', 'correo'] },
  phone: {
    label: 'Phone',
    names: ['phone', 'phone number', 'mobile', 'customer phone', 'telefono', 'teléfono'],
  },
  external_id: {
    label: 'Customer id',
    names: ['customer', 'customer id', 'client id', 'contact id', 'external id'],
  },
  first_name: { label: 'First name', names: ['first name', 'given name', 'name', 'nombre'] },
  last_name: { label: 'Last name', names: ['last name', 'surname', 'family name', 'apellido', 'apellidos'] },
  consent: { label: 'Consent to ads', names: ['consent', 'ad consent', 'marketing consent', 'opt in'] },
} as const

export type SaleField = keyof typeof saleFields
export const saleFieldIds = Object.keys(saleFields) as SaleField[]

/** Column index per field. */
export type Mapping = Partial<Record<SaleField, number>>

const plain = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')

/** Guesses the mapping from the headings; each column is used once. */
export function guessMapping(headings: readonly string[]): Mapping {
  const mapping: Mapping = {}
  for (const field of saleFieldIds) {
    const names: readonly string[] = saleFields[field].names
    const column = headings.findIndex((heading) => names.includes(plain(heading)))
    if (column !== -1) mapping[field] = column
  }
  return mapping
}
