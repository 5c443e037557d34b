/**
 * Five models, credits and rollups over 1 million conversions and 6 million touches, streamed in chunks as the server
 * does. The limit is a bare loop that reads the same columns once per conversion.
 *
 *   node bench/engine.ts [conversions]
 */
import { BulkAttribution, type Chunk, DAY_MS, defaultSettings } from '@whence/engine'

const CONVERSIONS = Number(process.argv[2] ?? 1_000_000)
const TOUCHES_PER_CONVERSION = 6
const CHUNK_CUSTOMERS = Number(process.argv[3] ?? 2_000)
const DAYS = 90
const ADS = 1_000
const START = Date.UTC(2026, 0, 1)

/** Seeded random generator (mulberry32), so that every run measures the same data. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One conversion and six touches per customer; one touch in four is direct, the others name an ad. */
function fill(chunk: Chunk, customers: number, random: () => number): void {
  chunk.reset()
  const times = new Float64Array(TOUCHES_PER_CONVERSION)
  for (let customer = 0; customer < customers; customer++) {
    chunk.beginCustomer()
    const convertedAt = START + Math.floor(random() * DAYS * DAY_MS)
    for (let i = 0; i < times.length; i++) times[i] = convertedAt - Math.floor(random() * 35 * DAY_MS)
    times.sort()
    for (const at of times) {
      const isDirect = random() < 0.25
      const ad = isDirect ? -1 : Math.floor(random() ** 2 * ADS)
      chunk.addTouch(
        at,
        isDirect,
        isDirect ? -1 : Math.floor(ad / 20),
        isDirect ? -1 : Math.floor(ad / 5),
        ad,
      )
    }
    const isPayment = random() < 0.5
    const day = Math.floor((convertedAt - START) / DAY_MS)
    const amountMinor = isPayment ? 100 + Math.floor(random() * 50_000) : 0
    const conversion = chunk.addConversion(convertedAt, amountMinor, day, isPayment ? 0 : 1)
    if (isPayment && random() < 0.03) chunk.addRefund(conversion, amountMinor, day + 3)
  }
}

function bareLoop(chunk: Chunk): number {
  let sum = 0
  for (let conversion = 0; conversion < chunk.conversionCount; conversion++) {
    const customer = chunk.conversionCustomer[conversion]!
    sum += chunk.conversionAt[conversion]! + chunk.conversionAmountMinor[conversion]!
    for (let touch = chunk.touchStart[customer]!; touch < chunk.touchStart[customer + 1]!; touch++) {
      sum += chunk.touchAt[touch]! + chunk.touchIsDirect[touch]!
      sum += chunk.touchCampaign[touch]! + chunk.touchAdSet[touch]! + chunk.touchAd[touch]!
    }
  }
  return sum
}

const random = seeded(20260101)
const bulk = new BulkAttribution(defaultSettings)
let engineMs = 0
let bareMs = 0
let engineCpuMs = 0
let credits = 0
let checksum = 0
for (let done = 0; done < CONVERSIONS; done += CHUNK_CUSTOMERS) {
  fill(bulk.chunk, Math.min(CHUNK_CUSTOMERS, CONVERSIONS - done), random)
  const begin = performance.now()
  checksum += bareLoop(bulk.chunk)
  const middle = performance.now()
  const cpu = process.cpuUsage()
  bulk.attributeChunk()
  engineMs += performance.now() - middle
  engineCpuMs += process.cpuUsage(cpu).user / 1000
  bareMs += middle - begin
  credits += bulk.credits.start[bulk.credits.conversionCount]!
}

let rollupRows = 0
for (const _ of bulk.rollups.rows()) rollupRows += 1

console.log(`conversions ${CONVERSIONS}, touches ${CONVERSIONS * TOUCHES_PER_CONVERSION}, credits ${credits}`)
console.log(`rollup rows ${rollupRows}, checksum ${checksum}`)
console.log(
  `engine ${(engineMs / 1000).toFixed(3)} s (processor ${(engineCpuMs / 1000).toFixed(3)} s), bare loop ${(bareMs / 1000).toFixed(3)} s`,
)
console.log(`ratio engine / bare loop ${(engineMs / bareMs).toFixed(1)}`)
console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
