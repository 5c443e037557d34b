import { checkOrders } from './orders.ts'

checkOrders('proofs')
