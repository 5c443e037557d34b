import { exportTopPerformers, getTopPerformersBrief } from '@whence/sdk'
import { useState } from 'react'
import { call, messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { saveFile } from '../../api/save-file.ts'
import { count, plural } from '../../format/numbers.ts'
import { dayText } from '../../format/times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { toggled } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Compare, MAX_COMPARED } from './compare.tsx'
import { CreativeCard } from './creative-card.tsx'
import { CreativeFilters, isFiltered } from './filters.tsx'
import { Forecasts } from './forecasts.tsx'
import { ScoreDetails } from './score-details.tsx'
import { Share, windowNames } from './share.tsx'
import { TraitStrip } from './trait-strip.tsx'
import { type Creative, keyOf, MAX_ADS, useBoard, useCreativeSearch, type Window } from './use-board.ts'

/** Leaderboard of ads scored against similar ads, with pictures, reasons and forecasts. */
export function Creatives() {
  const { profile } = useProfileContext()
  const { search, window, change } = useCreativeSearch()
  const { query, isWide } = useBoard(search, window)
  const [isSharing, setSharing] = useState(false)
  return (
    <Page
      title="Creatives"
      note="Each ad is compared with similar ads: same channel, format, objective, audience and country. Scored once a day; 50 is average."
      actions={
        <>
          <Segmented
            label="Days scored"
            value={window}
            options={(Object.keys(windowNames) as Window[]).map((value) => ({
              value,
              label: windowNames[value],
            }))}
            onChange={(next) => change({ window: next === '28d' ? undefined : next })}
          />
          <Segmented
            label="Ads of"
            value={isWide ? 'workspace' : 'profile'}
            options={[
              { value: 'profile', label: 'This profile' },
              { value: 'workspace', label: 'All profiles' },
            ]}
            onChange={(next) => change({ adsOf: next === 'workspace' ? next : undefined })}
          />
          <ExportButton window={window} isWide={isWide} />
          <Button kind="primary" onClick={() => setSharing(true)}>
            <Icon name="share" size={16} />
            Share
          </Button>
        </>
      }
    >
      <Brief window={window} isWide={isWide} />
      <TraitStrip isWide={isWide} />
      <CreativeFilters currency={profile.currency} />
      <Loaded query={query} skeleton={<BoardSkeleton />}>
        {({ ads, meta }) => (
          <>
            {meta.progress ? (
              <Notice>
                Scores up to {dayText(meta.progress.day)} are being computed: step {meta.progress.steps_done}{' '}
                of {meta.progress.steps_total}.
              </Notice>
            ) : null}
            {ads.length === 0 ? (
              <Card>
                <NoAds isScored={meta.as_of !== null} isFiltered={isFiltered(search)} />
              </Card>
            ) : (
              <Board ads={ads} asOf={meta.as_of!} isWide={isWide} />
            )}
            {meta.model ? <Forecasts model={meta.model} /> : null}
          </>
        )}
      </Loaded>
      {isSharing ? <Share search={search} window={window} onClose={() => setSharing(false)} /> : null}
    </Page>
  )
}

/** Cards shown at first: fifty are too many to scroll on a phone. */
const FIRST_ADS = 20

function Board({ ads, asOf, isWide }: { ads: readonly Creative[]; asOf: string; isWide: boolean }) {
  const [selectedKeys, setSelectedKeys] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<Creative | null>(null)
  const [isComparing, setComparing] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  // A filter may have removed a selected ad from the board.
  const selected = ads.filter((ad) => selectedKeys.includes(keyOf(ad)))
  return (
    <>
      <p className="muted small">
        {ads.length < MAX_ADS ? plural(ads.length, 'ad') : `The best ${MAX_ADS} ads`}, the highest score
        first, as of the end of {dayText(asOf, true)}.
      </p>
      <ol className="creatives">
        {(showsAll ? ads : ads.slice(0, FIRST_ADS)).map((ad, index) => (
          <CreativeCard
            key={keyOf(ad)}
            ad={ad}
            rank={index + 1}
            withProfile={isWide}
            isSelected={selectedKeys.includes(keyOf(ad))}
            canSelect={selected.length < MAX_COMPARED}
            onSelect={() => setSelectedKeys(toggled(selectedKeys, keyOf(ad)))}
            onOpen={() => setOpened(ad)}
          />
        ))}
      </ol>
      {showsAll || ads.length <= FIRST_ADS ? null : (
        <div>
          <Button onClick={() => setShowsAll(true)}>Show all {count(ads.length)} ads</Button>
        </div>
      )}
      {selected.length > 0 ? (
        <div className="compare-bar" role="status">
          <span>
            {selected.length === 1
              ? 'One ad selected. Select another to compare'
              : `${selected.length} ads selected`}
          </span>
          <Button small onClick={() => setSelectedKeys([])}>
            Clear
          </Button>
          <Button small kind="primary" disabled={selected.length < 2} onClick={() => setComparing(true)}>
            Compare
          </Button>
        </div>
      ) : null}
      {opened ? <ScoreDetails ad={opened} asOf={asOf} onClose={() => setOpened(null)} /> : null}
      {isComparing && selected.length > 1 ? (
        <Compare ads={selected} onClose={() => setComparing(false)} />
      ) : null}
    </>
  )
}

const counters = [
  ['winners', 'Winners', 'Well tested, and 90% likely to beat the average of similar ads'],
  ['rising', 'Rising', 'Promising: 75% likely to win'],
  ['fatiguing', 'Fatigued', 'People click less than they used to'],
  ['cold', 'Too early', 'Not shown enough for a result'],
] as const

function Brief({ window, isWide }: { window: Window; isWide: boolean }) {
  const { profile, workspace } = useProfileContext()
  const brief = useRead(
    getTopPerformersBrief,
    {
      params: { workspaceId: workspace.id },
      query: { window, ...(isWide ? {} : { profile_ids: profile.id }) },
    },
    { keep: true },
  )
  if (brief.isError) return null
  return (
    <dl className="grid-stats">
      {counters.map(([key, label, rule]) => (
        <Stat
          key={key}
          label={label}
          value={brief.data ? count(brief.data.data[key]) : <Skeleton width={60} height={32} />}
          detail={rule}
        />
      ))}
    </dl>
  )
}

/** Exports the bundle for a coding agent. Text by advertisers is fenced in it as data. */
function ExportButton({ window, isWide }: { window: Window; isWide: boolean }) {
  const { profile, workspace } = useProfileContext()
  const [isBusy, setBusy] = useState(false)
  const toast = useToast()
  if (workspace.role === 'viewer') return null
  const run = async () => {
    setBusy(true)
    try {
      const content = await call(exportTopPerformers, {
        params: { workspaceId: workspace.id },
        body: { window, profile_ids: isWide ? undefined : [profile.id] },
      })
      saveFile(`${isWide ? workspace.name : profile.name} creatives ${window}.zip`, content)
    } catch (error) {
      toast(messageOf(error), 'bad')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      busy={isBusy}
      onClick={() => void run()}
      title="The best 50 ads as a zip that a coding agent can read"
    >
      <Icon name="download" size={16} />
      Export
    </Button>
  )
}

function NoAds({ isScored, isFiltered: hasFilters }: { isScored: boolean; isFiltered: boolean }) {
  if (!isScored)
    return (
      <Empty icon="creatives" title="No scores yet">
        Ads are scored within ten minutes of an ad account’s first data, and every night after that. Connect
        an ad account if none is connected yet.
      </Empty>
    )
  return (
    <Empty icon="creatives" title={hasFilters ? 'No ad matches these filters' : 'No ad ran in these days'}>
      {hasFilters ? 'Clear a filter, or choose more days.' : 'Choose more days.'}
    </Empty>
  )
}

function BoardSkeleton() {
  return (
    <div className="creatives">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders that never move
        <Skeleton key={index} height={420} />
      ))}
    </div>
  )
}
