import { count, money, ratio } from '../format/numbers.ts'
import { instantText } from '../format/times.ts'
import type { Column } from './data-table.tsx'

type Value<Row, V> = (row: Row) => V

function formattedColumn<Row, V extends string | number | null>(
  [id, label, value]: [id: string, label: string, value: Value<Row, V>],
  format: (value: V) => string,
  number: boolean,
): Column<Row> {
  return { id, label, ...(number ? { number } : {}), value, cell: (row) => format(value(row)) }
}

/** Columns that display the value by which they are sorted. */
export const col = {
  count: <Row>(id: string, label: string, value: Value<Row, number | null>) =>
    formattedColumn([id, label, value], (cellValue) => count(cellValue), true),
  ratio: <Row>(id: string, label: string, value: Value<Row, number | null>) =>
    formattedColumn([id, label, value], ratio, true),
  money: <Row>(id: string, label: string, value: Value<Row, number | string | null>, currency: string) =>
    formattedColumn([id, label, value], (cellValue) => money(cellValue, currency), true),
  time: <Row>(id: string, label: string, value: Value<Row, string | null>, timezone?: string) =>
    formattedColumn([id, label, value], (cellValue) => instantText(cellValue, timezone), false),
  text: <Row>(id: string, label: string, value: Value<Row, string | null>) =>
    formattedColumn([id, label, value], (cellValue) => cellValue ?? '', false),
}
