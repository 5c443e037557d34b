import { money } from '../../format/numbers.ts'
import type { Level } from '../../names/levels.ts'
import type { Column } from '../../ui/data-table.tsx'
import { EntityLink, type EntityRow } from './entity-link.tsx'

/** What both tables of campaigns begin with. */
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
    {
      id: 'spend',
      label: 'Spend',
      number: true,
      value: (row) => row.spend,
      cell: (row) => money(row.spend, currency),
    },
  ]
}
