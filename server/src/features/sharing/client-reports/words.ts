/** All texts of reports and their mails, in each language. Pure. */
import type { Model } from '@whence/engine'

export type Language = 'en' | 'es'

const models: Record<Language, Record<Model, string>> = {
  en: {
    first_touch: 'first touch',
    last_touch: 'last touch',
    last_non_direct: 'last non-direct touch',
    linear: 'linear',
    time_decay: 'time decay',
  },
  es: {
    first_touch: 'primer contacto',
    last_touch: 'último contacto',
    last_non_direct: 'último contacto no directo',
    linear: 'lineal',
    time_decay: 'decaimiento temporal',
  },
}
export const modelName = (language: Language, model: Model): string => models[language][model]

const en = {
  title: 'Performance report',
  revenue: 'Revenue',
  spend: 'Ad spend',
  totalRoas: 'Total ROAS',
  roas: 'Ad ROAS',
  roasShort: 'ROAS',
  credited: 'Credited revenue',
  payments: 'Payments',
  cac: 'Cost per payment',
  comparedWith: (days: string) => `compared with ${days}`,
  before: (value: string) => `before: ${value}`,
  isNew: 'new',
  noChange: 'no change',
  trend: 'Revenue and ad spend per day',
  changes: 'What changed',
  noChanges: 'Nothing changed by more than a rounding unit.',
  campaigns: 'Campaigns',
  campaign: 'Campaign',
  change: 'Change',
  unattributed: 'Not attributed to a campaign',
  moreCampaigns: (count: number) => `${count} more campaigns`,
  allCampaigns: 'All campaigns',
  total: 'Total',
  reconciliation: 'Do the figures add up?',
  addsUp: (credited: string, unattributed: string, total: string) =>
    `${credited} credited to campaigns + ${unattributed} not attributed = ${total}, all revenue of the period.`,
  differs: (delta: string) => `The parts differ from the whole by ${delta}.`,
  leftOut: (count: number) =>
    `${count} payments or refunds are left out because their exchange rate is missing.`,
  reading: 'How to read this report',
  readRevenue: 'Revenue is every payment of the period less refunds, also from customers without an ad.',
  readCredited: (model: string) =>
    `Credited revenue is the part that the ${model} model assigns to campaigns.`,
  readRoas:
    'Total ROAS is revenue divided by ad spend; ad ROAS is credited revenue divided by ad spend. In the table, ROAS is the revenue of the line divided by its ad spend. Cost per payment is ad spend divided by payments in which a campaign has a part.',
  readDays: (zone: string, through: string) => `Days are those of ${zone}. Data through ${through}.`,
  readStale: (names: string) => `Not up to date when this report was created: ${names}.`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  model: (name: string) => `Attribution model: ${name}`,
  revenueUp: (by: string, to: string) => `Revenue rose by ${by} to ${to}.`,
  revenueDown: (by: string, to: string) => `Revenue fell by ${by} to ${to}.`,
  spendUp: (by: string, to: string) => `Ad spend rose by ${by} to ${to}.`,
  spendDown: (by: string, to: string) => `Ad spend fell by ${by} to ${to}.`,
  roasUp: (from: string, to: string, credited: string, spend: string) =>
    `Ad ROAS rose from ${from} to ${to} (credited revenue ${credited}, ad spend ${spend}).`,
  roasDown: (from: string, to: string, credited: string, spend: string) =>
    `Ad ROAS fell from ${from} to ${to} (credited revenue ${credited}, ad spend ${spend}).`,
  gained: (name: string, by: string, to: string) =>
    `“${name}” gained most: ${by} more credited revenue, now ${to}.`,
  lost: (name: string, by: string, to: string) =>
    `“${name}” lost most: ${by} less credited revenue, now ${to}.`,
  started: (name: string, spend: string) => `“${name}” is new and spent ${spend}.`,
  stopped: (name: string) => `“${name}” no longer spends.`,
  subject: (profile: string, days: string) => `${profile}: performance report, ${days}`,
  greeting: (profile: string, days: string) => `The report of ${profile} for ${days} is attached.`,
  unsubscribe: 'Unsubscribe from these reports',
  unsubscribeText: (url: string) => `To stop receiving these reports, open ${url}`,
}
export type Words = typeof en

const es: Words = {
  title: 'Informe de resultados',
  revenue: 'Ingresos',
  spend: 'Inversión publicitaria',
  totalRoas: 'ROAS total',
  roas: 'ROAS de anuncios',
  roasShort: 'ROAS',
  credited: 'Ingresos atribuidos',
  payments: 'Pagos',
  cac: 'Coste por pago',
  comparedWith: (days) => `comparado con ${days}`,
  before: (value) => `antes: ${value}`,
  isNew: 'nuevo',
  noChange: 'sin cambios',
  trend: 'Ingresos e inversión por día',
  changes: 'Qué ha cambiado',
  noChanges: 'Nada ha cambiado en más de una unidad de redondeo.',
  campaigns: 'Campañas',
  campaign: 'Campaña',
  change: 'Cambio',
  unattributed: 'Sin atribuir a una campaña',
  moreCampaigns: (count) => `${count} campañas más`,
  allCampaigns: 'Todas las campañas',
  total: 'Total',
  reconciliation: '¿Cuadran las cifras?',
  addsUp: (credited, unattributed, total) =>
    `${credited} atribuidos a campañas + ${unattributed} sin atribuir = ${total}, todos los ingresos del periodo.`,
  differs: (delta) => `Las partes difieren del total en ${delta}.`,
  leftOut: (count) => `Faltan ${count} pagos o reembolsos porque no se conoce su tipo de cambio.`,
  reading: 'Cómo leer este informe',
  readRevenue:
    'Los ingresos son todos los pagos del periodo menos los reembolsos, también de clientes sin anuncio.',
  readCredited: (model) =>
    `Los ingresos atribuidos son la parte que el modelo ${model} asigna a las campañas.`,
  readRoas:
    'El ROAS total son los ingresos entre la inversión; el ROAS de anuncios son los ingresos atribuidos entre la inversión. En la tabla, el ROAS son los ingresos de la línea entre su inversión. El coste por pago es la inversión entre los pagos en los que participa una campaña.',
  readDays: (zone, through) => `Los días son los de ${zone}. Datos hasta ${through}.`,
  readStale: (names) => `Sin actualizar al hacer este informe: ${names}.`,
  page: (page, pages) => `Página ${page} de ${pages}`,
  model: (name) => `Modelo de atribución: ${name}`,
  revenueUp: (by, to) => `Los ingresos subieron ${by}, hasta ${to}.`,
  revenueDown: (by, to) => `Los ingresos bajaron ${by}, hasta ${to}.`,
  spendUp: (by, to) => `La inversión subió ${by}, hasta ${to}.`,
  spendDown: (by, to) => `La inversión bajó ${by}, hasta ${to}.`,
  roasUp: (from, to, credited, spend) =>
    `El ROAS de anuncios subió de ${from} a ${to} (ingresos atribuidos ${credited}, inversión ${spend}).`,
  roasDown: (from, to, credited, spend) =>
    `El ROAS de anuncios bajó de ${from} a ${to} (ingresos atribuidos ${credited}, inversión ${spend}).`,
  gained: (name, by, to) => `«${name}» es la que más gana: ${by} más de ingresos atribuidos, ahora ${to}.`,
  lost: (name, by, to) => `«${name}» es la que más pierde: ${by} menos de ingresos atribuidos, ahora ${to}.`,
  started: (name, spend) => `«${name}» es nueva y gastó ${spend}.`,
  stopped: (name) => `«${name}» ya no gasta.`,
  subject: (profile, days) => `${profile}: informe de resultados, ${days}`,
  greeting: (profile, days) => `Adjuntamos el informe de ${profile} del ${days}.`,
  unsubscribe: 'Darse de baja de estos informes',
  unsubscribeText: (url) => `Para no recibir más estos informes, abra ${url}`,
}

export const reportTexts: Record<Language, Words> = { en, es }

/** Column headings of the campaign table. */
export const campaignHeadings = (texts: Words): string[] => {
  const { campaign, spend, credited, change, payments, roasShort, cac } = texts
  return [campaign, spend, credited, change, payments, roasShort, cac]
}
