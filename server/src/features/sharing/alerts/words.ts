/** Texts of alert messages in each language. `{figure}` becomes a link to its report. Pure. */
import type { Metric } from '../../figures/daily-sums/rules.ts'
import type { Language } from '../client-reports/words.ts'

const en = {
  title: (profile: string, fired: number, recovered: number) =>
    fired > 0
      ? `${profile}: ${fired === 1 ? '1 alert' : `${fired} alerts`}`
      : `${profile}: ${recovered === 1 ? '1 alert has recovered' : `${recovered} alerts have recovered`}`,
  note: (day: string) => `Closed days up to ${day}; credit by last touch`,
  metrics: {
    spend: 'Ad spend',
    revenue: 'Revenue',
    roas: 'Ad ROAS',
    cac: 'Cost per payment',
    conversions: 'Payments',
  } satisfies Record<Metric, string>,
  of: (metric: string, campaign: string) => `${metric} of “${campaign}”`,
  period: { 1: 'on {day}', 7: 'in the 7 days to {day}', 28: 'in the 28 days to {day}' },
  before: { 1: 'the same weekday a week before', 7: 'the 7 days before', 28: 'the 28 days before' },
  fired: '{name}: {metric} {period}: {figure}',
  recovered: 'Recovered – {name}: {metric} {period}: {figure}',
  change: ' ({change} to {before}: {earlier})',
  limit: { above: ', above {limit}', below: ', below {limit}' },
  evidence: (count: string) => `, from ${count} payments`,
  noPayments: 'no payment',
  findings: (count: number) => (count === 1 ? '1 open finding' : `${count} open findings`),
  findingFired: '{name}: the data check has {figure}',
  findingRecovered: 'Recovered – {name}: the data check has {figure}',
}
export type AlertWords = typeof en

const es: AlertWords = {
  title: (profile, fired, recovered) =>
    fired > 0
      ? `${profile}: ${fired === 1 ? '1 alerta' : `${fired} alertas`}`
      : `${profile}: ${recovered === 1 ? '1 alerta resuelta' : `${recovered} alertas resueltas`}`,
  note: (day) => `Días cerrados hasta el ${day}; atribución al último contacto`,
  metrics: {
    spend: 'Inversión',
    revenue: 'Ingresos',
    roas: 'ROAS de anuncios',
    cac: 'Coste por pago',
    conversions: 'Pagos',
  },
  of: (metric, campaign) => `${metric} de «${campaign}»`,
  period: { 1: 'el {day}', 7: 'en los 7 días hasta el {day}', 28: 'en los 28 días hasta el {day}' },
  before: {
    1: 'el mismo día de la semana anterior',
    7: 'los 7 días anteriores',
    28: 'los 28 días anteriores',
  },
  fired: '{name}: {metric} {period}: {figure}',
  recovered: 'Resuelta – {name}: {metric} {period}: {figure}',
  change: ' ({change} respecto a {before}: {earlier})',
  limit: { above: ', por encima de {limit}', below: ', por debajo de {limit}' },
  evidence: (count) => `, con ${count} pagos`,
  noPayments: 'ningún pago',
  findings: (count) => (count === 1 ? '1 problema abierto' : `${count} problemas abiertos`),
  findingFired: '{name}: la revisión de los datos tiene {figure}',
  findingRecovered: 'Resuelta – {name}: la revisión de los datos tiene {figure}',
}

export const alertWords: Record<Language, AlertWords> = { en, es }
