/**
 * Reference rates as the European Central Bank publishes them: XML (`Cube time` over `Cube currency rate`) or CSV (a
 * column per currency), both in units of the currency for one euro. Pure.
 */
import type * as FastXml from 'fast-xml-parser'
import { z } from 'zod'
import { isDay } from '../../../platform/contract/dates.ts'
import { findCurrency } from '../../../platform/contract/money.ts'
import { parseCsv } from '../../../platform/csv.ts'
import { loadOnFirstUse } from '../../../platform/load-on-first-use.ts'

const fastXml = loadOnFirstUse<typeof FastXml>('fast-xml-parser')

export const BASE = 'EUR'

export type ReferenceRate = { day: string; currency: string; rate: string }

/** Throws if the text is neither format. Unknown currencies are ignored. */
export function readReferenceRates(text: string): ReferenceRate[] {
  const rates = /^\s*(?:\ufeff)?</.test(text) ? readXml(text) : readRateCsv(text)
  const days = [...new Set(rates.map((rate) => rate.day))]
  return [
    ...days.map((day) => ({ day, currency: BASE, rate: '1' })),
    ...rates.filter((rate) => findCurrency(rate.currency) === rate.currency && rate.currency !== BASE),
  ]
}

const rateForm = /^\d{1,12}(?:\.\d{1,12})?$/
const oneOrMany = <T extends z.ZodType>(schema: T) =>
  z.union([z.array(schema), schema.transform((single) => [single])])

const Envelope = z.object({
  Envelope: z.object({
    Cube: z.object({
      Cube: oneOrMany(
        z.object({
          '@_time': z.string().refine(isDay),
          Cube: oneOrMany(z.object({ '@_currency': z.string(), '@_rate': z.string().regex(rateForm) })),
        }),
      ),
    }),
  }),
})

function readXml(text: string): ReferenceRate[] {
  const { XMLParser } = fastXml()
  const parser = new XMLParser({
    ignoreAttributes: false,
    removeNSPrefix: true,
    parseAttributeValue: false,
    processEntities: false,
  })
  const parsed = Envelope.safeParse(parser.parse(text))
  if (!parsed.success) throw new Error('The XML does not contain reference rates')
  return parsed.data.Envelope.Cube.Cube.flatMap((daily) =>
    daily.Cube.map((cube) => ({ day: daily['@_time'], currency: cube['@_currency'], rate: cube['@_rate'] })),
  )
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

function readRateCsv(text: string): ReferenceRate[] {
  const [header = [], ...lines] = parseCsv(text) ?? []
  const currencies = header.map((column) => column.trim())
  if (currencies[0] !== 'Date' || lines.length === 0)
    throw new Error('The CSV does not contain reference rates: its first column is not Date')
  return lines.flatMap((fields) => {
    const day = toDay(fields[0]?.trim() ?? '')
    return currencies.slice(1).flatMap((currency, index) => {
      const rate = fields[index + 1]?.trim() ?? ''
      // An empty field or N/A: no rate was published that day.
      return currency !== '' && rateForm.test(rate) ? [{ day, currency, rate }] : []
    })
  })
}

/** Dates are 2026-05-04 in the history file and 4 May 2026 in the daily file. */
function toDay(text: string): string {
  if (isDay(text)) return text
  const [, date = '', month = '', year = ''] = /^(\d{1,2}) (\w+) (\d{4})$/.exec(text) ?? []
  const day = `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!isDay(day))
    throw new Error(`The CSV does not contain reference rates: ${JSON.stringify(text)} is no date`)
  return day
}
