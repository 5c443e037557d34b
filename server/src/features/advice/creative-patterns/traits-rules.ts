/**
 * Traits of an ad, derived by deterministic rules without a model. A trait is null if the platform does not report its
 * source; an ad with null is excluded from that trait's comparison.
 */
export type CreativeFacts = {
  format: string | null
  aspectRatio: string | null
  durationSeconds: number | null
  cardCount: number | null
  ctaType: string | null
  title: string | null
  body: string | null
  landingHost: string | null
}

export const dimensions = [
  'format',
  'aspect_ratio',
  'video_length',
  'card_count',
  'call_to_action',
  'title_length',
  'body_length',
  'question',
  'number',
  'offer',
  'testimonial',
  'emoji',
  'second_person',
  'language',
  'landing_host',
  'hook_type',
  'primary_angle',
] as const
export type Dimension = (typeof dimensions)[number]
export type Traits = Record<Dimension, string | null>

const yesNo = (is: boolean) => (is ? 'yes' : 'no')
const trimmedOrNull = (text: string | null) => (text === null || text.trim() === '' ? null : text.trim())

export function traitsOf(facts: CreativeFacts): Traits {
  const title = trimmedOrNull(facts.title)
  const body = trimmedOrNull(facts.body)
  const text = title === null && body === null ? null : [title, body].filter(Boolean).join('\n')
  const language = text === null ? null : languageOf(text)
  const has = (pattern: RegExp) => (text === null ? null : yesNo(pattern.test(text)))
  const offer = text === null ? null : offerOf(text)
  return {
    format: trimmedOrNull(facts.format)?.toLowerCase() ?? null,
    aspect_ratio: trimmedOrNull(facts.aspectRatio),
    video_length:
      facts.durationSeconds === null ? null : lengthBand(facts.durationSeconds, [6, 15, 30, 60], 's'),
    card_count: facts.cardCount === null ? null : cardBand(facts.cardCount),
    call_to_action: trimmedOrNull(facts.ctaType)?.toLowerCase() ?? null,
    title_length: title === null ? null : lengthBand([...title].length, [25, 40], 'characters'),
    body_length: body === null ? null : lengthBand([...body].length, [80, 160, 320], 'characters'),
    question: has(/[?？¿]/u),
    number: has(/\p{Nd}/u),
    offer,
    testimonial: has(/[“„«»"][^“”„«»"]{3,}[”“«»"]/u),
    emoji: has(/\p{Extended_Pictographic}/u),
    second_person: text === null || language === null ? null : yesNo(secondPerson[language]!.test(text)),
    language,
    landing_host:
      trimmedOrNull(facts.landingHost)
        ?.toLowerCase()
        .replace(/^www\./, '') ?? null,
    hook_type: title === null ? null : hookOf(title),
    primary_angle: text === null ? null : angleOf(text, offer),
  }
}

/** "up to 15 s", "16 to 30 s", "over 60 s". */
function lengthBand(value: number, edges: readonly number[], unit: string): string {
  const index = edges.findIndex((edge) => value <= edge)
  if (index === 0) return `up to ${edges[0]} ${unit}`
  return index === -1 ? `over ${edges.at(-1)} ${unit}` : `${edges[index - 1]! + 1} to ${edges[index]} ${unit}`
}

/** Names of common aspect ratios; others are formatted with one decimal. */
const shapes: readonly [number, string][] = [
  [9 / 16, '9:16'],
  [4 / 5, '4:5'],
  [1, '1:1'],
  [1.91, '1.91:1'],
  [16 / 9, '16:9'],
]
export const aspectName = (ratio: number): string =>
  shapes.find(([shape]) => Math.abs(ratio / shape - 1) < 0.03)?.[1] ?? `${ratio.toFixed(1)}:1`

const cardBand = (cards: number) =>
  cards <= 1 ? '1' : cards <= 3 ? '2 to 3' : cards <= 5 ? '4 to 5' : 'over 5'

const price =
  /(?:[$€£¥]|\b(?:usd|eur|gbp|mxn|brl|ars|clp))\s?\d|\d\s?(?:[€£¥]|\b(?:usd|eur|gbp|mxn|brl|ars|clp)\b)/iu
const percent = /\d\s?%/u
const free = /\b(?:free|gratis|gratuit[oae]?|kostenlos|grátis|complimentary)\b/iu

function offerOf(text: string): 'percent' | 'price' | 'free' | 'none' {
  if (percent.test(text)) return 'percent'
  if (price.test(text)) return 'price'
  return free.test(text) ? 'free' : 'none'
}

const commonWords: Record<string, RegExp> = {
  en: /\b(?:the|and|your?|with|for|our|is|are|to|of|in|from|that|this|how)\b/giu,
  es: /\b(?:el|la|los|las|y|con|para|tu|tus|de|una?|que|en|es|por|su|más)\b/giu,
  pt: /\b(?:o|os|as|e|com|para|seu|sua|você|de|uma?|que|em|não|mais|do|da)\b/giu,
  de: /\b(?:der|die|das|und|mit|für|ihr|ihre|du|dein|ist|von|ein|eine|zu|im|wir)\b/giu,
  fr: /\b(?:le|les|et|avec|pour|votre|vous|des|une?|est|en|du|que|nos|plus)\b/giu,
}
const secondPerson: Record<string, RegExp> = {
  en: /\byou(?:r|rs|’re|'re|’ll|'ll)?\b/iu,
  es: /\b(?:tú|tu|tus|te|contigo|usted|ustedes)\b/iu,
  pt: /\b(?:você|vocês|seu|sua|seus|suas|te|tu)\b/iu,
  de: /\b(?:du|dich|dir|dein\w*|euch|eure?\w*|Sie|Ihnen|Ihre?\w*)\b/u,
  fr: /\b(?:vous|votre|vos|tu|ton|ta|tes|toi)\b/iu,
}

/** The language with the most common words in the text; null without a lead of two, as in short texts. */
function languageOf(text: string): string | null {
  const counts = Object.entries(commonWords)
    .map(([language, wordPattern]) => ({ language, count: text.match(wordPattern)?.length ?? 0 }))
    .sort((a, b) => b.count - a.count)
  const [first, second] = counts
  return first!.count >= 2 && first!.count - second!.count >= 2 ? first!.language : null
}

/** The kind of opening of the headline, if a rule matches. */
function hookOf(title: string): string | null {
  if (/[?？]\s*$/u.test(title)) return 'question'
  if (/^[“„«"]/u.test(title)) return 'quotation'
  if (/^\p{Nd}/u.test(title)) return 'number'
  if (/^(?:how|cómo|como|wie|comment)\b/iu.test(title)) return 'how_to'
  if (/^(?:why|por qué|porque|warum|pourquoi)\b/iu.test(title)) return 'reason_why'
  return null
}

const saving = /\b(?:save|sale|discount|deal|ahorra|descuento|oferta|desconto|rabatt|angebot|remise)\b/iu
const urgency =
  /\b(?:today only|last chance|ends (?:today|soon|tonight)|only \d+ left|hoy|última|últimos|nur heute|dernière)\b/iu
const proofWords =
  /\b(?:reviews?|rated|customers|clients?|trusted|reseñas|avis|bewertung\w*|kunden|clientes)\b/iu

/** The main argument of the text, if a rule matches. */
function angleOf(text: string, offer: string | null): string | null {
  if (urgency.test(text)) return 'urgency'
  if (saving.test(text) || offer === 'percent' || offer === 'free') return 'saving'
  if (offer === 'price') return 'price'
  return proofWords.test(text) ? 'social_proof' : null
}
