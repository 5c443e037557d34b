/** Texts of briefs in each language. `{name}` is replaced with a figure or a name, which can link to its report. Pure. */
import type { Language } from '../client-reports/words.ts'

const en = {
  title: (profile: string, days: string) => `${profile}: what changed, ${days}`,
  comparedWith: (days: string) => `Compared with ${days}`,
  and: ', and ',
  empty: 'There was no ad spend and no payment on these days.',
  stale: 'The data of {sources} is not up to date, so these figures can still change.',
  counting: 'Events of these days are still being processed, so these figures can still change.',
  revenueUp: 'Revenue rose by {by} ({percent}) to {now}.',
  revenueDown: 'Revenue fell by {by} ({percent}) to {now}.',
  usual: ' Changes of this size are usual here.',
  revenueNew: 'Revenue is {now}; there was none in the {days} days before.',
  revenueNewDay: 'Revenue is {now}; there was none on the day before.',
  revenueSame: 'Revenue stayed at {now}.',
  revenueUnrated: 'Revenue is incomplete: {count} lack an exchange rate.',
  unrated: (count: number) => (count === 1 ? '1 payment or refund' : `${count} payments or refunds`),
  most: 'Most of the change comes from {name}: {by}, now {now}.',
  largest: 'The largest part of the change comes from {name}: {by}, now {now}.',
  both: 'Gains and losses offset each other: {name} gained most ({by}), {other} lost most ({otherBy}).',
  noBreakdown:
    'The change of revenue cannot be broken down by campaign: an exchange rate is missing, or the parts do not add up.',
  quoted: (name: string) => `“${name}”`,
  unattributed: 'revenue without a campaign',
  spendUp: 'Ad spend rose by {by} to {now}',
  spendDown: 'Ad spend fell by {by} to {now}',
  spendSame: 'Ad spend stayed at {now}',
  roasUp: 'ad ROAS rose from {roasBefore} to {roas}',
  roasDown: 'ad ROAS fell from {roasBefore} to {roas}',
  roasSame: 'ad ROAS stayed at {roas}',
  problem: 'The data check found {count}.',
  problemOfMoney: 'The data check found {count}; up to {value} is affected.',
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  goal: {
    week: 'Goal {name} has {actual} of {target} this week; {expected} was due by {day}.',
    month: 'Goal {name} has {actual} of {target} this month; {expected} was due by {day}.',
  },
  goalRate: {
    cac: {
      week: 'Goal {name} costs {actual} each this week; the target is {target}.',
      month: 'Goal {name} costs {actual} each this month; the target is {target}.',
    },
    roas: {
      week: 'Goal {name} returns {actual} of ad spend this week; the target is {target}.',
      month: 'Goal {name} returns {actual} of ad spend this month; the target is {target}.',
    },
  },
  pacing: 'Spend at {platform} is at {percent} of what the budget for {month} expects by now.',
  restated: 'Figures of {days} changed after these days were closed: {changes}.',
  revenueBy: (by: string) => `revenue ${by}`,
  spendBy: (by: string) => `ad spend ${by}`,
}
export type BriefWords = typeof en

const es: BriefWords = {
  title: (profile, days) => `${profile}: qué ha cambiado, ${days}`,
  comparedWith: (days) => `Comparado con ${days}`,
  and: ', y ',
  empty: 'No hubo inversión publicitaria ni pagos en estos días.',
  stale: 'Los datos de {sources} no están al día, así que estas cifras aún pueden cambiar.',
  counting: 'Aún se están contando eventos de estos días, así que estas cifras aún pueden cambiar.',
  revenueUp: 'Los ingresos subieron {by} ({percent}), hasta {now}.',
  revenueDown: 'Los ingresos bajaron {by} ({percent}), hasta {now}.',
  usual: ' Los cambios de este tamaño son habituales aquí.',
  revenueNew: 'Los ingresos son de {now}; en los {days} días anteriores no hubo.',
  revenueNewDay: 'Los ingresos son de {now}; el día anterior no hubo.',
  revenueSame: 'Los ingresos siguen en {now}.',
  revenueUnrated: 'Los ingresos están incompletos: a {count} les falta el tipo de cambio.',
  unrated: (count) => (count === 1 ? '1 pago o reembolso' : `${count} pagos o reembolsos`),
  most: 'La mayor parte del cambio viene de {name}: {by}, ahora {now}.',
  largest: 'La parte más grande del cambio viene de {name}: {by}, ahora {now}.',
  both: 'Las subidas y bajadas se compensan: {name} es lo que más sube ({by}) y {other} lo que más baja ({otherBy}).',
  noBreakdown:
    'El cambio de los ingresos no se puede desglosar por campaña: falta un tipo de cambio o las partes no cuadran.',
  quoted: (name) => `«${name}»`,
  unattributed: 'ingresos sin campaña',
  spendUp: 'La inversión subió {by}, hasta {now}',
  spendDown: 'La inversión bajó {by}, hasta {now}',
  spendSame: 'La inversión sigue en {now}',
  roasUp: 'el ROAS de anuncios subió de {roasBefore} a {roas}',
  roasDown: 'el ROAS de anuncios bajó de {roasBefore} a {roas}',
  roasSame: 'el ROAS de anuncios sigue en {roas}',
  problem: 'La revisión de los datos encontró {count}.',
  problemOfMoney: 'La revisión de los datos encontró {count}; afecta como máximo a {value}.',
  problems: (count) => (count === 1 ? '1 problema' : `${count} problemas`),
  goal: {
    week: 'El objetivo {name} lleva {actual} de {target} esta semana; hasta el {day} se esperaban {expected}.',
    month: 'El objetivo {name} lleva {actual} de {target} este mes; hasta el {day} se esperaban {expected}.',
  },
  goalRate: {
    cac: {
      week: 'Cada {name} cuesta {actual} esta semana; el objetivo es {target}.',
      month: 'Cada {name} cuesta {actual} este mes; el objetivo es {target}.',
    },
    roas: {
      week: '{name} devuelve {actual} de la inversión esta semana; el objetivo es {target}.',
      month: '{name} devuelve {actual} de la inversión este mes; el objetivo es {target}.',
    },
  },
  pacing: 'El gasto en {platform} está al {percent} de lo que el presupuesto de {month} prevé hasta hoy.',
  restated: 'Las cifras de {days} cambiaron después de cerrarse esos días: {changes}.',
  revenueBy: (by) => `ingresos ${by}`,
  spendBy: (by) => `inversión ${by}`,
}

export const briefWords: Record<Language, BriefWords> = { en, es }
