/** The report as A4 pages. Deterministic: the same facts produce the same bytes, without clock or randomness. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { layoutChart, type Point } from './chart-rules.ts'
import type { CampaignLine, ReportFacts } from './facts.ts'
import {
  buildNotes,
  buildTableEnd,
  buildTiles,
  createFormatters,
  creditedChange,
  describeChanges,
  summarizeRemaining,
  type Tile,
} from './figures-rules.ts'
import type { Brand } from './render-html.ts'
import { campaignHeadings, type Language, modelName, reportTexts } from './words.ts'

const ink = '#1b2430'
const quiet = '#5d6877'
const line = '#e2e6eb'
const good = '#0b6b3a'
const bad = '#b42318'
const grey = '#98a2b3'
const MARGIN = 40
const WIDTH = 595.28 - 2 * MARGIN
const BOTTOM = 841.89 - 56
const MAX_CAMPAIGNS = 40

const { resolve } = createRequire(import.meta.url)
const fontFile = (name: string) => readFileSync(resolve(`@expo-google-fonts/noto-sans/${name}`))
let fonts: { regular: Buffer; bold: Buffer } | undefined

type Doc = PDFKit.PDFDocument
type Canvas = {
  doc: Doc
  brand: Brand
  language: Language
  facts: ReportFacts
  text: (value: string) => string
}

export async function renderPdf(facts: ReportFacts, brand: Brand, language: Language): Promise<Buffer> {
  fonts ??= {
    regular: fontFile('400Regular/NotoSans_400Regular.ttf'),
    bold: fontFile('600SemiBold/NotoSans_600SemiBold.ttf'),
  }
  const texts = reportTexts[language]
  const title = `${texts.title}: ${facts.profile.name}`
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: language,
    info: { Title: title, Author: brand.name, CreationDate: new Date(`${facts.now.days.to}T00:00:00Z`) },
  })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolveBytes, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolveBytes(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  doc.registerFont('regular', fonts.regular)
  doc.registerFont('bold', fonts.bold)
  doc.font('regular')
  const canvas: Canvas = { doc, brand, language, facts, text: printable(doc) }
  header(canvas)
  tiles(canvas)
  trend(canvas)
  bullets(canvas, texts.changes, listOr(describeChanges(facts, language), texts.noChanges))
  campaigns(canvas)
  const notes = buildNotes(facts, language, modelName(language, facts.model))
  bullets(canvas, texts.reconciliation, notes.sum)
  bullets(canvas, texts.reading, notes.reading)
  footers(canvas)
  doc.end()
  return done
}

const listOr = (lines: string[], fallback: string) => (lines.length === 0 ? [fallback] : lines)

/** Replaces characters missing from the font with a question mark, and line breaks with spaces. */
function printable(doc: Doc): (value: string) => string {
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })
    ._font
  return (value) =>
    [...value.replace(/\s+/g, ' ')]
      .map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : '?'))
      .join('')
}

function header({ doc, brand, language, facts, text }: Canvas): void {
  const texts = reportTexts[language]
  const { days } = createFormatters(language, facts.profile.currency)
  doc.rect(0, 0, 595.28, 8).fill(brand.primaryColor)
  const right = { width: 170, align: 'right' } as const
  if (brand.logo === null)
    doc
      .font('bold')
      .fontSize(12)
      .fillColor(ink)
      .text(text(brand.name), MARGIN + WIDTH - 170, 36, { ...right, height: 34, ellipsis: true })
  else doc.image(brand.logo, MARGIN + WIDTH - 170, 30, { fit: [170, 44], align: 'right' })
  const name = text(facts.profile.name)
  doc.font('bold').fontSize(22).fillColor(ink)
  // A long name is set in smaller type on two lines.
  const isLong = doc.widthOfString(name) > WIDTH - 190
  if (isLong) doc.fontSize(14)
  doc.text(name, MARGIN, isLong ? 24 : 32, { width: WIDTH - 190, height: isLong ? 40 : 30, ellipsis: true })
  doc.font('regular').fontSize(10).fillColor(quiet)
  doc.text(`${texts.title} · ${days(facts.now.days)}`, MARGIN, 64, { width: WIDTH - 190 })
  const model = texts.model(modelName(language, facts.model))
  doc.text(`${texts.comparedWith(days(facts.before.days))} · ${model}`, { width: WIDTH })
  doc.y = 104
}

function tiles(canvas: Canvas): void {
  const { doc, facts, language } = canvas
  const gap = 10
  const width = (WIDTH - 2 * gap) / 3
  const top = doc.y
  buildTiles(facts, language).forEach((tile, index) => {
    const [column, row] = [index % 3, Math.floor(index / 3)]
    drawTile(canvas, tile, MARGIN + column * (width + gap), top + row * 74, width)
  })
  doc.y = top + 2 * 74 + 8
}

function drawTile({ doc }: Canvas, tile: Tile, x: number, y: number, width: number): void {
  doc.roundedRect(x, y, width, 64, 6).lineWidth(0.8).stroke(line)
  const inside = { width: width - 20, lineBreak: false }
  doc
    .font('regular')
    .fontSize(8.5)
    .fillColor(quiet)
    .text(tile.label, x + 10, y + 8, inside)
  doc.font('bold').fontSize(16).fillColor(ink)
  // Long amounts are set in smaller type instead of wrapping.
  const available = width - 20
  const textWidth = doc.widthOfString(tile.value)
  if (textWidth > available) doc.fontSize((16 * available) / textWidth)
  doc.text(tile.value, x + 10, y + 20, inside)
  doc.font('regular').fontSize(8.5)
  let left = x + 10
  if (tile.change !== null) {
    const color = tile.isGood === null ? quiet : tile.isGood ? good : bad
    doc.fillColor(color).text(tile.change, left, y + 46, inside)
    left += doc.widthOfString(`${tile.change}  `)
  }
  doc.fillColor(quiet).text(tile.before, left, y + 46, { lineBreak: false })
}

function heading({ doc, text }: Canvas, title: string, minimumHeight: number): void {
  if (doc.y + minimumHeight > BOTTOM) {
    doc.addPage()
    doc.y = MARGIN
  }
  doc.font('bold').fontSize(12).fillColor(ink).text(text(title), MARGIN, doc.y, { width: WIDTH })
  doc.y += 4
}

function trend(canvas: Canvas): void {
  const { doc, facts, language, brand } = canvas
  const texts = reportTexts[language]
  const { money, shortDay } = createFormatters(language, facts.profile.currency)
  heading(canvas, texts.trend, 200)
  const top = doc.y
  const axis = 74
  const box = { x: MARGIN + axis, y: top + 6, width: WIDTH - axis - 14, height: 130 }
  const chart = layoutChart(facts.days, box)
  doc.font('regular').fontSize(7.5)
  for (const { value, y } of chart.ticks) {
    doc
      .moveTo(box.x, y)
      .lineTo(box.x + box.width, y)
      .lineWidth(0.6)
      .stroke(line)
    doc
      .fillColor(quiet)
      .text(money(value), MARGIN, y - 5, { width: axis - 8, align: 'right', lineBreak: false })
  }
  for (const { date, x } of chart.labels)
    doc.text(shortDay(date), x - 30, box.y + box.height + 5, { width: 60, align: 'center', lineBreak: false })
  const draw = (points: readonly Point[], color: string, width: number) => {
    for (const [index, [x, y]] of points.entries()) {
      if (index === 0) doc.moveTo(x, y)
      else doc.lineTo(x, y)
    }
    doc.lineWidth(width).lineJoin('round').stroke(color)
  }
  doc.dash(4, { space: 3 })
  draw(chart.spend, grey, 1.2)
  doc.undash()
  draw(chart.revenue, brand.primaryColor, 1.8)
  const legend = box.y + box.height + 20
  doc.rect(box.x, legend + 4, 14, 2.4).fill(brand.primaryColor)
  doc
    .fillColor(quiet)
    .fontSize(8)
    .text(texts.revenue, box.x + 19, legend, { lineBreak: false })
  const second = box.x + 40 + doc.widthOfString(texts.revenue)
  doc
    .rect(second, legend + 4, 5, 1.6)
    .rect(second + 9, legend + 4, 5, 1.6)
    .fill(grey)
  doc.fillColor(quiet).text(texts.spend, second + 19, legend, { lineBreak: false })
  doc.y = legend + 24
}
function bullets(canvas: Canvas, title: string, lines: readonly string[]): void {
  const { doc, text } = canvas
  heading(canvas, title, 48)
  doc.font('regular').fontSize(9.5)
  for (const sentence of lines) {
    const printableText = text(sentence)
    if (doc.y + doc.heightOfString(printableText, { width: WIDTH - 14 }) > BOTTOM) {
      doc.addPage()
      doc.y = MARGIN
    }
    const y = doc.y
    doc.circle(MARGIN + 3, y + 6.5, 1.6).fill(canvas.brand.primaryColor)
    doc.fillColor(ink).text(printableText, MARGIN + 14, y, { width: WIDTH - 14 })
    doc.y += 3
  }
  doc.y += 10
}

/** Falls back to the platform's id if the font lacks most characters of the name, such as Chinese ones. */
function readableName({ text }: Canvas, { name, platformId }: CampaignLine): string {
  const missing = [...text(name)].filter((character) => character === '?').length
  return missing * 2 > [...name].length ? platformId : name
}

const columns = [0.32, 0.13, 0.15, 0.11, 0.09, 0.09, 0.11]

function campaigns(canvas: Canvas): void {
  const { facts, language } = canvas
  const texts = reportTexts[language]
  const { money, count, ratio, amount } = createFormatters(language, facts.profile.currency)
  const head = campaignHeadings(texts)
  heading(canvas, texts.campaigns, 90)
  row(canvas, head, 'head')
  const topCampaigns = facts.now.campaigns.slice(0, MAX_CAMPAIGNS)
  const cells = (campaign: CampaignLine) => [
    readableName(canvas, campaign),
    money(campaign.spend),
    money(campaign.credited),
    creditedChange(facts, campaign, language)?.text ?? '–',
    count(campaign.payments),
    ratio(campaign.roas),
    amount(campaign.cac),
  ]
  for (const campaign of topCampaigns) row(canvas, cells(campaign), 'body', head)
  const remaining = summarizeRemaining(facts, language, MAX_CAMPAIGNS)
  if (remaining !== null)
    row(canvas, [remaining.label, money(remaining.spend), money(remaining.credited)], 'body', head)
  const end = buildTableEnd(facts, language, facts.profile.currency)
  row(canvas, end.allCampaigns, 'body', head)
  row(canvas, end.unattributed, 'body', head)
  row(canvas, end.total, 'total', head)
  canvas.doc.y += 14
}

function row(
  canvas: Canvas,
  cells: readonly string[],
  kind: 'head' | 'body' | 'total',
  head?: readonly string[],
): void {
  const { doc, text } = canvas
  const size = kind === 'head' ? 7.5 : 8.5
  doc.font(kind === 'body' ? 'regular' : 'bold').fontSize(size)
  const height = kind === 'head' ? 26 : 19
  if (doc.y + height > BOTTOM) {
    doc.addPage()
    doc.y = MARGIN
    if (head !== undefined) row(canvas, head, 'head')
    doc.font(kind === 'body' ? 'regular' : 'bold').fontSize(8.5)
  }
  const y = doc.y
  let x = MARGIN
  doc.fillColor(kind === 'head' ? quiet : ink)
  cells.forEach((cell, index) => {
    const width = columns[index]! * WIDTH
    const options = { width: width - 6, height: height - 5, ellipsis: true }
    doc.fontSize(size)
    // A figure is never truncated: long amounts are set in smaller type.
    const isTooWide = kind !== 'head' && index > 0 && doc.widthOfString(cell) > width - 7
    if (isTooWide) doc.fontSize((size * (width - 7)) / doc.widthOfString(cell))
    doc.text(text(cell), x + (index === 0 ? 0 : 6), y + 4, {
      ...options,
      align: index === 0 ? 'left' : 'right',
    })
    x += width
  })
  doc.moveTo(MARGIN, y + height).lineTo(MARGIN + WIDTH, y + height)
  doc.lineWidth(kind === 'body' ? 0.5 : 0.9).stroke(kind === 'body' ? line : grey)
  doc.y = y + height
  doc.x = MARGIN
}

function footers({ doc, brand, language, text }: Canvas): void {
  const texts = reportTexts[language]
  const contact = [brand.name, brand.supportEmail, brand.websiteUrl]
    .filter((part) => part !== null)
    .join(' · ')
  const { count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    // The footer is below the margin; without this, PDFKit would add a page.
    doc.page.margins.bottom = 0
    doc.font('regular').fontSize(8).fillColor(quiet)
    doc.text(text(contact), MARGIN, 806, { width: WIDTH - 100, height: 12, ellipsis: true })
    doc.text(texts.page(page + 1, count), MARGIN + WIDTH - 100, 806, { width: 100, align: 'right' })
  }
}
