import type { Level } from '../../names/levels.ts'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { EntityLink, type EntityRow } from './entity-link.tsx'

/** The first columns of both campaign tables. */
export function entityColumns<Row extends EntityRow & { spend: number | null }>(
  level: Level,
  currency: string,
): Column<Row>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      value: (row) => row.campaign_name ?? row.platform_id,
      cell: (row) => <EntityLink row={row} level={level} />,
    },
    col.money('spend', 'Spend', (row) => row.spend, currency),
  ]
}
