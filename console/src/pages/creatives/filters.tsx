import type { CreativeSearch } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { useCreativeSearch } from './use-board.ts'
import { formatWords, gradeWords, outcomeWords } from './words.ts'

const any = { value: '', label: 'All' }
const optionsOf = (labels: Record<string, string>) => [
  any,
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
]

const choices = [
  {
    key: 'format',
    label: 'Format',
    options: optionsOf(formatWords),
  },
  { key: 'video', label: 'Video', options: optionsOf({ true: 'With video', false: 'Without video' }) },
  {
    key: 'objective',
    label: 'Objective',
    options: optionsOf({
      sales: 'Sales',
      leads: 'Leads',
      messaging: 'Messaging',
      traffic: 'Traffic',
      awareness: 'Awareness',
    }),
  },
  { key: 'outcome', label: 'Result', options: optionsOf(outcomeWords) },
  { key: 'grade', label: 'Evidence', options: optionsOf(gradeWords) },
] as const satisfies { key: keyof CreativeSearch; label: string; options: unknown }[]

const cleared: Partial<CreativeSearch> = {
  format: undefined,
  video: undefined,
  objective: undefined,
  outcome: undefined,
  grade: undefined,
  least: undefined,
}
export const isFiltered = (search: CreativeSearch) =>
  Object.keys(cleared).some((key) => search[key as keyof CreativeSearch] !== undefined)

export function CreativeFilters({ currency }: { currency: string }) {
  const { search, change } = useCreativeSearch()
  return (
    <div className="creative-filters">
      {choices.map(({ key, label, options }) => (
        <Choice
          key={key}
          label={label}
          options={options}
          value={search[key] ?? ''}
          onChange={({ target }) => change({ [key]: target.value || undefined })}
        />
      ))}
      <Field
        label={`Minimum spend, ${currency}`}
        type="number"
        min={0}
        step="any"
        value={search.least ?? ''}
        onChange={({ target }) => change({ least: Number(target.value) || undefined })}
      />
      {isFiltered(search) ? <Button onClick={() => change(cleared)}>Clear filters</Button> : null}
    </div>
  )
}
