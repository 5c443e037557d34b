/** The built-in answers, and the validation of answers. Pure. */
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

/** `other` is last; the profile's entries are inserted before it. */
export const builtInEntries: readonly VocabularyEntry[] = [
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

const builtInKeys = new Set(builtInEntries.map((entry) => entry.key))

export function fullVocabulary(customEntries: readonly VocabularyEntry[]): VocabularyEntry[] {
  return [...builtInEntries.slice(0, -1), ...customEntries, ...builtInEntries.slice(-1)]
}

/** Keys must be unique and must not be built-in ones. */
export function refuseVocabulary(entries: readonly { key: string }[]): Refusal | null {
  const seen = new Set<string>()
  for (const { key } of entries) {
    if (builtInKeys.has(key)) return invalid('entries', `${key} is a built-in key.`)
    if (seen.has(key)) return invalid('entries', `${key} occurs twice.`)
    seen.add(key)
  }
  return null
}

export type Answer = { answerKey: string; answerText: string | null; askedAt: Date }

export function readAnswer(
  input: Answer,
  vocabulary: readonly VocabularyEntry[],
  now: Date,
): Answer | Refusal {
  if (!vocabulary.some((entry) => entry.key === input.answerKey))
    return new Refusal(
      'unknown_answer_key',
      'not in the vocabulary; use a listed key, or other with answer_text.',
      { field: 'answer_key' },
    )
  const answerText = input.answerText?.trim() || null
  if (input.answerKey === OTHER && answerText === null)
    return invalid('answer_text', 'required with the key other.')
  if (input.askedAt.getTime() > now.getTime() + DAY_MS)
    return invalid('asked_at', 'must not be more than 24 hours in the future.')
  return { ...input, answerText }
}

const invalid = (field: string, problem: string) => new Refusal('validation_error', problem, { field })
