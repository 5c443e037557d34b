/** The hosted question page: one form, no script, no third-party content. */
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/http/html.ts'
import type { VocabularyEntry } from './contract.ts'
import { type Language, question } from './rules.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{box-sizing:border-box;width:100%;max-width:28rem;padding:2rem 1.25rem}
h1,legend{font-size:1.375rem;line-height:1.25;margin:0 0 .75rem;font-weight:600;padding:0}
fieldset{border:0;margin:0 0 1rem;padding:0}
label{display:block;padding:.375rem 0}
input[type=text]{display:block;box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem;font:inherit;border:1px solid GrayText;border-radius:.375rem;background:Field;color:FieldText}
button{min-height:3rem;padding:.75rem 1.25rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;background:#1d4ed8;color:#fff;cursor:pointer}
:focus-visible{outline:3px solid CanvasText;outline-offset:2px}
[role=alert]{border-left:4px solid #b91c1c;padding-left:.75rem}`

export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

const texts = {
  en: {
    send: 'Send',
    text: 'Tell us more (needed for “Something else”)',
    thanks: 'Thank you!',
    choose: 'Please choose an answer. “Something else” needs a few words.',
    unknown: 'This link does not work. It may have expired.',
  },
  es: {
    send: 'Enviar',
    text: 'Cuéntanos más (necesario para «Otro»)',
    thanks: '¡Gracias!',
    choose: 'Elige una respuesta. «Otro» necesita unas palabras.',
    unknown: 'Este enlace no funciona. Puede haber caducado.',
  },
} as const

function shell(language: Language, title: string, body: Html): Html {
  return html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${{ html: style }}</style></head>
<body><main>${body}</main></body></html>`
}

export function questionPage(
  language: Language,
  entries: readonly VocabularyEntry[],
  hidden: Readonly<Record<string, string>>,
  isIncomplete: boolean,
): Html {
  const text = texts[language]
  const options = entries.map(
    (entry) =>
      html`<label><input type="radio" name="answer_key" value="${entry.key}" required> ${language === 'es' ? entry.label_es : entry.label_en}</label>`,
  )
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const alert = isIncomplete ? html`<p role="alert">${text.choose}</p>` : null
  return shell(
    language,
    question[language],
    html`${alert}<form method="post">${fields}<fieldset><legend>${question[language]}</legend>${options}</fieldset>
<label>${text.text} <input type="text" name="answer_text" maxlength="200" autocomplete="off"></label>
<p><button type="submit">${text.send}</button></p></form>`,
  )
}

export function thanksPage(language: Language): Html {
  return shell(language, texts[language].thanks, html`<h1>${texts[language].thanks}</h1>`)
}

export function unknownPage(language: Language): Html {
  return shell(
    language,
    question[language],
    html`<h1>${question[language]}</h1><p role="alert">${texts[language].unknown}</p>`,
  )
}

/** The `lang` parameter, else the browser's first supported language. */
export function languageOf(query: Record<string, string>, acceptLanguage: string | undefined): Language {
  const preferred = [query.lang, ...(acceptLanguage ?? '').split(',')]
  for (const language of preferred) {
    const code = language?.trim().slice(0, 2).toLowerCase()
    if (code === 'en' || code === 'es') return code
  }
  return 'en'
}
