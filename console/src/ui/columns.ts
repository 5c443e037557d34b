import { count, money, ratio } from '../format/numbers.ts'
import { instantText } from '../format/times.ts'
import type { Column } from './data-table.tsx'

type Value<Row, V> = (row: Row) => V

function written<Row, V extends string | number | null>(
  [id, label, value]: [id: string, label: string, value: Value<Row, V>],
  write: (value: V) => string,
  number: boolean,
): Column<Row> {
  return { id, label, ...(number ? { number } : {}), value, cell: (row) => write(value(row)) }
}

/** Columns that show the value by which they are sorted. */
export const col = {
  count: <Row>(id: string, label: string, value: Value<Row, number | null>) =>
    written([id, label, value], (given) => count(given), true),
  ratio: <Row>(id: string, label: string, value: Value<Row, number | null>) =>
    written([id, label, value], ratio, true),
  money: <Row>(id: string, label: string, value: Value<Row, number | string | null>, currency: string) =>
    written([id, label, value], (given) => money(given, currency), true),
  time: <Row>(id: string, label: string, value: Value<Row, string | null>, timezone?: string) =>
    written([id, label, value], (given) => instantText(given, timezone), false),
  text: <Row>(id: string, label: string, value: Value<Row, string | null>) =>
    written([id, label, value], (given) => given ?? '', false),
}
