/** Scores of many ads in columns; as objects those of one window would be most of what a scoring keeps. */
import { type Confidence, confidenceOf, type Layer, layers, type OutcomeKind } from './layers.ts'
import { release } from './release.ts'

export type Maturity = 'cold' | 'early' | 'mature'
export type LayerScore = {
  layer: Layer
  percentile: number
  reliability: number
  confidence: Confidence
  rate: number
}

export type AdScore = {
  adId: string
  composite: number | null
  layers: LayerScore[]
  maturity: Maturity
  /** The stage that an ad keeps which had reached it: thresholds are a quarter lower. */
  keptMaturity: Maturity
  cohortKey: string
  cohortSize: number
  /** What the peer group is judged by; null where nothing was sold or asked for. */
  kind: OutcomeKind | null
  /** Of the primary rate: outcomes per click where there are any, else clicks per impression. */
  posterior: { shape: number; rate: number } | null
  aboveMedian: number | null
  /** What the peer group pays for one primary outcome. */
  cohortCostMinor: number | null
}

const maturities: readonly Maturity[] = ['cold', 'early', 'mature']
const OWN = 6
const PER_LAYER = 3
const WIDTH = OWN + PER_LAYER * layers.length

/** What all ads of a peer group have in common. */
export type ScoredCohort = Pick<AdScore, 'cohortKey' | 'cohortSize' | 'kind' | 'cohortCostMinor'>

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

export class ScoreColumns {
  private readonly ads: readonly { adId: string }[]
  /** Not a number where there is none. */
  private readonly values: Float64Array
  private readonly cohorts: ScoredCohort[] = []
  private readonly cohortOf: Int32Array

  constructor(ads: readonly { adId: string }[]) {
    this.ads = ads
    this.values = new Float64Array(ads.length * WIDTH).fill(Number.NaN)
    this.cohortOf = new Int32Array(ads.length)
  }

  get length(): number {
    return this.ads.length
  }

  /** Those that are put afterwards belong to it. */
  beginCohort(cohort: ScoredCohort): void {
    this.cohorts.push(cohort)
  }

  put(
    place: number,
    score: Pick<AdScore, 'composite' | 'maturity' | 'keptMaturity' | 'posterior' | 'aboveMedian'> & {
      layers: readonly Omit<LayerScore, 'confidence'>[]
    },
  ): void {
    const { values } = this
    const from = place * WIDTH
    this.cohortOf[place] = this.cohorts.length - 1
    values[from] = score.composite ?? Number.NaN
    values[from + 1] = score.posterior?.shape ?? Number.NaN
    values[from + 2] = score.posterior?.rate ?? Number.NaN
    values[from + 3] = score.aboveMedian ?? Number.NaN
    values[from + 4] = maturities.indexOf(score.maturity)
    values[from + 5] = maturities.indexOf(score.keptMaturity)
    for (const { layer, percentile, reliability, rate } of score.layers) {
      const at = from + OWN + PER_LAYER * layers.indexOf(layer)
      values[at] = percentile
      values[at + 1] = reliability
      values[at + 2] = rate
    }
  }

  at(place: number): AdScore {
    const { values } = this
    const from = place * WIDTH
    const shape = orNull(values[from + 1]!)
    return {
      adId: this.ads[place]!.adId,
      ...this.cohorts[this.cohortOf[place]!]!,
      composite: orNull(values[from]!),
      layers: this.layersAt(from + OWN),
      maturity: maturities[values[from + 4]!]!,
      keptMaturity: maturities[values[from + 5]!]!,
      posterior: shape === null ? null : { shape, rate: values[from + 2]! },
      aboveMedian: orNull(values[from + 3]!),
    }
  }

  release(): void {
    release(this.values)
  }

  private layersAt(from: number): AdScore['layers'] {
    return layers.flatMap((layer, index) => {
      const at = from + PER_LAYER * index
      const percentile = this.values[at]!
      if (Number.isNaN(percentile)) return []
      const reliability = this.values[at + 1]!
      return [
        {
          layer,
          percentile,
          reliability,
          confidence: confidenceOf(reliability),
          rate: this.values[at + 2]!,
        },
      ]
    })
  }
}
