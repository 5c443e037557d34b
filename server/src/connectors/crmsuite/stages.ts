/** Suggests the outcome of a pipeline stage from its name; a person confirms or changes it. */
const notAnOutcome =
  /\b(lost|dead|abandon\w*|cancel\w*|no[- ]?show\w*|missed|unqualified|disqualified|not (interested|qualified)|spam|perdid\w*|descartad\w*|no asist\w*)\b/i

/** Checked from the last stage of a deal to the first: "quote accepted" is won, not quoted. */
const outcomePatterns: readonly (readonly [RegExp, string])[] = [
  [
    /\b(won|sold|closed|signed|paid|accepted|ganad\w*|ganh\w*|vendid\w*|cerrad\w*|fechad\w*|pagad\w*)\b/i,
    'closed_won',
  ],
  [
    /\b(quote\w*|propos\w*|estimate\w*|offer\w*|negotiat\w*|presupuest\w*|cotiza\w*|propuest\w*|or[cç]ament\w*)\b/i,
    'quote_presented',
  ],
  [
    /\b(showed|attended|visited|met|(appointment|consult\w*|meeting|call|demo) (done|completed|held)|asisti\w*|realizad\w*|compareceu)\b/i,
    'appointment_attended',
  ],
  [
    /\b(book\w*|appointment\w*|schedul\w*|consult\w*|meeting\w*|demo\w*|cita\w*|agendad\w*|reuni[oó]n\w*|reuni[aã]o)\b/i,
    'appointment_booked',
  ],
  [
    /\b(new|leads?|inquir\w*|enquir\w*|opt[- ]?in|nuev\w*|nov[oa]s?|interesad\w*|prospect\w*)\b/i,
    'lead_created',
  ],
]

export function suggestOutcome(stageName: string): string | null {
  const name = stageName.replaceAll('_', ' ')
  if (notAnOutcome.test(name)) return null
  return outcomePatterns.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
