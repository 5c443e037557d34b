import type { ReactNode } from 'react'
import { costPerPayment, count, money, NONE, percent, ratio } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AdLink, nameOf } from './creative-card.tsx'
import { PercentileBar, Score } from './score.tsx'
import { outlook } from './score-details.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { type Creative, keyOf } from './use-board.ts'
import { aheadText, formatName, type LayerPercentile, layerWords, peerGroupText, stages } from './words.ts'

export const MAX_COMPARED = 4

type Line = {
  label: string
  cell: (ad: Creative) => ReactNode
  /** How to find the best ad of the line. Lines with words have none. */
  better?: { value: (ad: Creative) => number | null; is: 'more' | 'less' }
}

const word = (value: string | null) => (value === null ? NONE : sentence(value.toLowerCase()))

const figures: Line[] = [
  { label: 'Certainty', cell: (ad) => stages[ad.maturity_stage].label },
  { label: 'Spend', cell: (ad) => money(ad.spend, ad.currency) },
  {
    label: 'Revenue',
    cell: (ad) => money(ad.attributed_revenue, ad.currency),
  },
  { label: 'ROAS', cell: (ad) => ratio(ad.roas), better: { value: (ad) => ad.roas, is: 'more' } },
  {
    label: 'CAC',
    cell: (ad) => money(costPerPayment(ad), ad.currency),
    better: { value: costPerPayment, is: 'less' },
  },
  { label: 'CTR', cell: (ad) => percent(ad.ctr, 2, 2), better: { value: (ad) => ad.ctr, is: 'more' } },
  { label: 'CPC', cell: (ad) => money(ad.cpc, ad.currency), better: { value: (ad) => ad.cpc, is: 'less' } },
  { label: 'Payments', cell: (ad) => count(ad.attributed_cash_outcomes) },
  { label: 'Leads', cell: (ad) => count(ad.attributed_pipeline_outcomes) },
]
const contentLines: Line[] = [
  { label: 'Format', cell: (ad) => (ad.creative_format ? formatName(ad.creative_format) : NONE) },
  { label: 'Hook', cell: (ad) => word(ad.hook_type) },
  { label: 'Angle', cell: (ad) => word(ad.primary_angle) },
  { label: 'Offer', cell: (ad) => ad.offers.map(sentence).join(', ') || NONE },
  { label: 'Button', cell: (ad) => word(ad.cta_type) },
]
const peerGroupLine: Line = { label: 'Compared with', cell: (ad) => peerGroupText(ad.cohort_key) }

const percentileOf = (ad: Creative, layer: LayerPercentile['layer']) =>
  ad.layer_percentiles.find((one) => one.layer === layer)

/** Percentiles within different peer groups are not comparable, so no best ad is marked then. */
function layerLines(ads: readonly Creative[], isMixed: boolean): Line[] {
  return (Object.keys(layerWords) as LayerPercentile['layer'][])
    .filter((layer) => ads.some((ad) => percentileOf(ad, layer)))
    .map((layer) => ({
      label: layerWords[layer].name,
      cell: (ad) => {
        const percentile = percentileOf(ad, layer)
        return percentile === undefined ? (
          NONE
        ) : (
          <>
            {aheadText(percentile)}
            <PercentileBar layer={percentile} />
          </>
        )
      },
      ...(isMixed
        ? {}
        : { better: { value: (ad) => percentileOf(ad, layer)?.percentile ?? null, is: 'more' } }),
    }))
}

/** The best ad of a line; undefined if the best two are equal or fewer than two have a value. */
function bestOf(ads: readonly Creative[], line: Line): Creative | undefined {
  if (line.better === undefined) return undefined
  const { value, is } = line.better
  const scored = ads.flatMap((ad) => {
    const figure = value(ad)
    return figure === null ? [] : [{ ad, figure: is === 'more' ? figure : -figure }]
  })
  const best = scored.toSorted((a, b) => b.figure - a.figure)
  return best.length > 1 && best[0]!.figure > best[1]!.figure ? best[0]!.ad : undefined
}

/** Two or more ads side by side: content, figures, percentiles and forecasts. */
export function Compare({ ads, onClose }: { ads: readonly Creative[]; onClose: () => void }) {
  const isMixed = new Set(ads.map((ad) => ad.cohort_key)).size > 1
  const groups: [string, Line[]][] = [
    ['Percentile among similar ads', layerLines(ads, isMixed)],
    ['Figures', figures],
    ['Forecast', outlook.map(({ label, text }) => ({ label, cell: text }))],
    ['Content', [...contentLines, peerGroupLine]],
  ]
  return (
    <Dialog open onClose={onClose} wide title="Side by side" note="The best value of each line is marked.">
      {isMixed ? (
        <Notice>
          Each of these ads is compared with other similar ads, so their percentiles and scores cannot show
          which is better. The figures below can.
        </Notice>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be focusable by keyboard */}
      <section className="table-scroll" aria-label="Ads side by side" tabIndex={0}>
        <table className="table compare">
          <thead>
            <tr>
              <td />
              {ads.map((ad) => (
                <th key={keyOf(ad)} scope="col">
                  <Thumbnail ad={ad} />
                  <Score ad={ad} />
                  <AdLink ad={ad}>{nameOf(ad)}</AdLink>
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(([name, lines]) => (
            <tbody key={name}>
              <tr>
                <th colSpan={ads.length + 1} scope="colgroup" className="compare-group">
                  {name}
                </th>
              </tr>
              {lines.map((line) => (
                <CompareLine key={line.label} line={line} ads={ads} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </Dialog>
  )
}

function CompareLine({ line, ads }: { line: Line; ads: readonly Creative[] }) {
  const best = bestOf(ads, line)
  return (
    <tr>
      <th scope="row">{line.label}</th>
      {ads.map((ad) => (
        <td key={keyOf(ad)} className={ad === best ? 'best' : undefined}>
          {line.cell(ad)}
          {ad === best ? <span className="sr-only"> (best)</span> : null}
        </td>
      ))}
    </tr>
  )
}
