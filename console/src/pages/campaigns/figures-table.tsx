import { useNavigate, useSearch } from '@tanstack/react-router'
import { getUnattributed, listCampaigns } from '@whence/server/features/reports/contract.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { Caveats, metaOf } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { download, toCsv } from './csv.ts'
import { figureColumns } from './figure-columns.tsx'
import { FiguresFoot } from './figures-foot.tsx'
import type { Level } from './levels.ts'
import { Reconciliation } from './reconciliation.tsx'

const MAX_ROWS = 100

export function FiguresTable({
  place,
}: {
  place: { openId: string | undefined; level: Level; noun: string }
}) {
  const { profile } = usePlace()
  const { query, range, model } = useReport()
  const search = useSearch({ from: '/p/$profileId/campaigns' })
  const navigate = useNavigate({ from: '/p/$profileId/campaigns' })
  const { level, openId } = place
  const parent = openId ? { parent_id: openId } : {}
  const rows = useProfileRead(
    listCampaigns,
    { query: { ...query, level, limit: String(MAX_ROWS), ...parent } },
    { keep: true },
  )
  const rest = useProfileRead(getUnattributed, { query: { ...query, level } }, { keep: true })
  const columns = figureColumns(level, profile.currency)
  const save = () =>
    download(
      `${profile.name} ${level} ${model} ${range.from} ${range.to}.csv`,
      toCsv(rows.data?.data ?? [], rest.data?.data, profile.currency),
    )
  return (
    <>
      {rows.data ? <Caveats meta={metaOf(rows.data)} /> : null}
      <Card
        title={`${place.noun.charAt(0).toUpperCase()}${place.noun.slice(1)}s`}
        note={rows.data?.data.length === MAX_ROWS ? `The first ${MAX_ROWS} by revenue` : undefined}
        actions={
          <Button small onClick={save} disabled={!rows.data}>
            <Icon name="download" size={15} />
            Download CSV
          </Button>
        }
        foot={rows.data ? <Reconciliation meta={metaOf(rows.data)} level={level} /> : undefined}
        flush
      >
        <Loaded query={rows}>
          {({ data }) => (
            <>
              <DataTable
                label={`${place.noun}s`}
                columns={columns}
                rows={data}
                rowKey={(row) => row.campaign_id}
                sort={{ id: search.sort ?? 'revenue', descending: !search.up }}
                onSort={({ id, descending }) =>
                  void navigate({
                    search: (before) => ({ ...before, sort: id, up: descending ? undefined : true }),
                    replace: true,
                  })
                }
                foot={
                  <FiguresFoot
                    rows={data}
                    rest={rest.data?.data}
                    openId={openId}
                    noun={place.noun}
                    columns={columns.map(({ id }) => id)}
                  />
                }
                linked
              />
              {data.length === 0 ? (
                <Empty icon="campaigns" title={`No ${place.noun} ran or earned in these days`}>
                  Choose other dates, or connect an ad account.
                </Empty>
              ) : null}
            </>
          )}
        </Loaded>
      </Card>
    </>
  )
}
