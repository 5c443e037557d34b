/** Scores of many ads in columns; as objects, one window's scores would dominate the memory of a scoring. */
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
  /** The stage with thresholds a quarter lower, for ads that had already reached it (hysteresis). */
  keptMaturity: Maturity
  peerGroupKey: string
  peerGroupSize: number
  /** The outcome by which the peer group is scored; null without outcomes. */
  kind: OutcomeKind | null
  /** Posterior of the primary rate: outcomes per click if there are outcomes, else clicks per impression. */
  posterior: { shape: number; rate: number } | null
  aboveMedian: number | null
  /** The peer group's cost per primary outcome. */
  peerGroupCostMinor: number | null
}

const maturities: readonly Maturity[] = ['cold', 'early', 'mature']
const OWN = 6
const PER_LAYER = 3
const WIDTH = OWN + PER_LAYER * layers.length

/** Properties shared by all ads of a peer group. */
export type ScoredPeerGroup = Pick<AdScore, 'peerGroupKey' | 'peerGroupSize' | 'kind' | 'peerGroupCostMinor'>

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

export class ScoreColumns {
  private readonly ads: readonly { adId: string }[]
  /** NaN for null. */
  private readonly values: Float64Array
  private readonly peerGroups: ScoredPeerGroup[] = []
  private readonly peerGroupOf: Int32Array

  constructor(ads: readonly { adId: string }[]) {
    this.ads = ads
    this.values = new Float64Array(ads.length * WIDTH).fill(Number.NaN)
    this.peerGroupOf = new Int32Array(ads.length)
  }

  get length(): number {
    return this.ads.length
  }

  /** Scores added by `put` afterwards belong to this peer group. */
  beginPeerGroup(peerGroup: ScoredPeerGroup): void {
    this.peerGroups.push(peerGroup)
  }

  put(
    slot: number,
    score: Pick<AdScore, 'composite' | 'maturity' | 'keptMaturity' | 'posterior' | 'aboveMedian'> & {
      layers: readonly Omit<LayerScore, 'confidence'>[]
    },
  ): void {
    const { values } = this
    const from = slot * WIDTH
    this.peerGroupOf[slot] = this.peerGroups.length - 1
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

  at(slot: number): AdScore {
    const { values } = this
    const from = slot * WIDTH
    const shape = orNull(values[from + 1]!)
    return {
      adId: this.ads[slot]!.adId,
      ...this.peerGroups[this.peerGroupOf[slot]!]!,
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
