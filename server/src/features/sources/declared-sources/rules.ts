/** The answers that every profile offers, and what an answer must hold. Pure. */
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { Refusal } from '../../../platform/contract/refusal.ts'
import type { VocabularyEntry } from './contract.ts'

export const question = { en: 'How did you hear about us?', es: '¿Cómo nos conociste?' } as const
export type Language = keyof typeof question
export const OTHER = 'other'

const builtIn = (
  key: string,
  label_en: string,
  label_es: string,
  ...channels: VocabularyEntry['channels']
): VocabularyEntry => ({ key, label_en, label_es, channels, is_own: false })

/** The key `other` comes last, behind the profile's own. */
export const commonEntries: readonly VocabularyEntry[] = [
  builtIn('search_engine', 'Search engine', 'Buscador', 'organic_search', 'paid_search'),
  builtIn('social_media', 'Social media', 'Redes sociales', 'organic_social', 'paid_social'),
  builtIn('online_ad', 'An ad on another website', 'Un anuncio en otra web', 'display', 'paid_other'),
  builtIn('chat_message', 'A chat message', 'Un mensaje de chat', 'messaging'),
  builtIn('email', 'An email', 'Un correo electrónico', 'email'),
  builtIn('website_or_blog', 'A website or blog', 'Una web o un blog', 'referral', 'affiliate'),
  builtIn('ai_assistant', 'An AI assistant', 'Un asistente de IA'),
  builtIn('friend_or_family', 'Friends or family', 'Amigos o familia'),
  builtIn('podcast_or_radio', 'Podcast or radio', 'Pódcast o radio'),
  builtIn('television', 'Television', 'Televisión'),
  builtIn('press', 'Newspaper or magazine', 'Prensa o revista'),
  builtIn('outdoor_or_print', 'Poster, flyer or sign', 'Cartel, folleto o rótulo'),
  builtIn('event', 'An event', 'Un evento'),
  builtIn('passing_by', 'Passing by', 'Al pasar por delante'),
  builtIn('known_before', 'I was a customer before', 'Ya era cliente', 'direct'),
  builtIn(OTHER, 'Something else', 'Otro'),
]

const common = new Set(commonEntries.map((entry) => entry.key))

export function fullVocabulary(own: readonly VocabularyEntry[]): VocabularyEntry[] {
  return [...commonEntries.slice(0, -1), ...own, ...commonEntries.slice(-1)]
}

/** Own keys are new ones, each once. */
export function refuseVocabulary(entries: readonly { key: string }[]): Refusal | null {
  const seen = new Set<string>()
  for (const { key } of entries) {
    if (common.has(key)) return invalid('entries', `${key} is a key that every profile has.`)
    if (seen.has(key)) return invalid('entries', `${key} is there twice.`)
    seen.add(key)
  }
  return null
}

export type Answer = { answerKey: string; answerText: string | null; askedAt: Date }

export function readAnswer(
  given: { answerKey: string; answerText: string | null; askedAt: Date },
  vocabulary: readonly VocabularyEntry[],
  now: Date,
): Answer | Refusal {
  if (!vocabulary.some((entry) => entry.key === given.answerKey))
    return new Refusal(
      'unknown_answer_key',
      'not in the vocabulary; use a listed key, or other with answer_text.',
      { field: 'answer_key' },
    )
  const answerText = given.answerText?.trim() || null
  if (given.answerKey === OTHER && answerText === null)
    return invalid('answer_text', 'required with the key other.')
  if (given.askedAt.getTime() > now.getTime() + DAY_MS)
    return invalid('asked_at', 'more than 24 hours ahead.')
  return { ...given, answerText }
}

const invalid = (field: string, problem: string) => new Refusal('validation_error', problem, { field })
