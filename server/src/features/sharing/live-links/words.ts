/** Texts of live link pages, in addition to those of client reports. Pure. */
import type { Language } from '../client-reports/words.ts'
import type { LivePeriod } from './contract.ts'

const en = {
  live: 'Live figures',
  updated: (when: string) => `as of ${when}`,
  period: 'Period',
  periods: {
    last_7_days: '7 days to yesterday',
    last_28_days: '28 days to yesterday',
    last_30_days: '30 days to yesterday',
    last_month: 'Last month',
  } as Record<LivePeriod, string>,
  channels: 'Revenue by channel',
  channel: 'Channel',
  share: 'Share',
  channelNames: {
    unknown: 'No known visit',
    direct: 'Direct',
    email: 'Email',
    organic_search: 'Organic search',
    organic_social: 'Organic social',
    messaging: 'Messaging',
    referral: 'Referral',
    affiliate: 'Affiliates',
    campaign: 'Other campaigns',
    display: 'Display',
    paid_search: 'Paid search',
    paid_social: 'Paid social',
    paid_other: 'Other paid',
  } as Record<string, string>,
  until: (day: string) => `This page is available until ${day}.`,
  passwordTitle: 'Password required',
  password: 'Password',
  open: 'Open',
  wrongPassword: 'Wrong password.',
  tooManyTries: 'Too many attempts; wait 15 minutes.',
  busyTitle: 'Too many requests',
  busy: 'This page was opened very often. Wait a minute and load it again.',
}
type LiveWords = typeof en

const es: LiveWords = {
  live: 'Cifras en vivo',
  updated: (when) => `a ${when}`,
  period: 'Periodo',
  periods: {
    last_7_days: '7 días hasta ayer',
    last_28_days: '28 días hasta ayer',
    last_30_days: '30 días hasta ayer',
    last_month: 'Mes pasado',
  },
  channels: 'Ingresos por canal',
  channel: 'Canal',
  share: 'Parte',
  channelNames: {
    unknown: 'Sin visita conocida',
    direct: 'Directo',
    email: 'Correo electrónico',
    organic_search: 'Búsqueda orgánica',
    organic_social: 'Redes sociales orgánicas',
    messaging: 'Mensajería',
    referral: 'Sitios de referencia',
    affiliate: 'Afiliados',
    campaign: 'Otras campañas',
    display: 'Display',
    paid_search: 'Búsqueda de pago',
    paid_social: 'Redes sociales de pago',
    paid_other: 'Otros de pago',
  },
  until: (day) => `Esta página está disponible hasta el ${day}.`,
  passwordTitle: 'Se necesita la contraseña',
  password: 'Contraseña',
  open: 'Abrir',
  wrongPassword: 'Esta no es la contraseña.',
  tooManyTries: 'Demasiados intentos; espere un cuarto de hora.',
  busyTitle: 'Demasiadas solicitudes',
  busy: 'Esta página se ha abierto muchas veces. Espere un minuto y vuelva a cargarla.',
}

export const liveWords: Record<Language, LiveWords> = { en, es }
