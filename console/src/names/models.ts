import type { Model } from '../search.ts'

export const modelNames: Record<Model, { name: string; short: string; rule: string }> = {
  last_touch: {
    name: 'Last touch',
    short: 'Last',
    rule: 'All credit to the last touch before the conversion.',
  },
  first_touch: { name: 'First touch', short: 'First', rule: 'All credit to the first touch of the journey.' },
  linear: { name: 'Linear', short: 'Linear', rule: 'Equal credit to every touch.' },
  time_decay: {
    name: 'Time decay',
    short: 'Decay',
    rule: 'More credit the closer a touch is to the conversion.',
  },
  last_non_direct: {
    name: 'Last non-direct',
    short: 'Non-direct',
    rule: 'All credit to the last touch that was not a direct visit.',
  },
}
