import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePlace } from '../../api/profile.ts'
import { rangeText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import { ReportControls } from '../../report/controls.tsx'
import { useReport } from '../../report/use-report.ts'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Conversions } from './conversions.tsx'
import { Crumbs, useNames } from './crumbs.tsx'
import { FiguresTable } from './figures-table.tsx'
import { placeOf } from './levels.ts'
import { ModelsTable } from './models-table.tsx'

export function Campaigns() {
  const { profile } = usePlace()
  const search = useSearch({ from: '/p/$profileId/campaigns' })
  const navigate = useNavigate({ from: '/p/$profileId/campaigns' })
  const { range, model } = useReport()
  const names = useNames(search)
  const place = placeOf(search)
  const view = search.view ?? 'figures'
  return (
    <Page
      title={names.open ?? 'Campaigns'}
      crumbs={place.openId ? <Crumbs search={search} names={names} /> : undefined}
      note={`${rangeText(range.from, range.to)}. ${view === 'models' ? 'Revenue under each of the five models.' : modelNames[model].rule}`}
      actions={
        <>
          {place.level ? (
            <Segmented
              label="View"
              value={view}
              options={[
                { value: 'figures', label: 'Figures' },
                { value: 'models', label: 'All five models' },
              ]}
              onChange={(next) =>
                void navigate({
                  search: (before) => ({ ...before, view: next === 'models' ? next : undefined }),
                  replace: true,
                })
              }
            />
          ) : null}
          <ReportControls withModel={view === 'figures'} />
        </>
      }
    >
      {place.level === undefined ? null : view === 'models' ? (
        <ModelsTable key={place.level} place={{ ...place, level: place.level }} />
      ) : (
        <FiguresTable key={place.level} place={{ ...place, level: place.level }} />
      )}
      {/* The key: rows of what was open before never stand under another name while its own load. */}
      {place.openId ? (
        <Conversions key={place.openId} entityId={place.openId} currency={profile.currency} />
      ) : null}
    </Page>
  )
}
