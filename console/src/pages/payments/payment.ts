import type { DataOf, listPayments } from '@whence/sdk'

export type Payment = DataOf<typeof listPayments>[number]
