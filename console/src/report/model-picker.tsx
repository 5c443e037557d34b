import { modelNames } from '../names/models.ts'
import { type Model, models } from '../search.ts'

export function ModelPicker({ model, onChange }: { model: Model; onChange: (model: Model) => void }) {
  return (
    <select
      className="select small"
      aria-label="Attribution model"
      title={modelNames[model].rule}
      value={model}
      onChange={(event) => onChange(event.target.value as Model)}
    >
      {models.map((value) => (
        <option key={value} value={value}>
          {modelNames[value].name}
        </option>
      ))}
    </select>
  )
}
