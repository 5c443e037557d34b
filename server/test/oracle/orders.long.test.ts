import { checkOrders } from './orders.ts'

checkOrders('tests')
