import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { toggled } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'

type Pickable = { id: string; label: string }

/** Chooses a table's visible columns; the first is always visible. */
export function ColumnPicker({
  columns,
  shown,
  onChange,
  onReset,
}: {
  columns: readonly Pickable[]
  shown: readonly string[]
  onChange: (ids: string[]) => void
  onReset: () => void
}) {
  return (
    <Popover
      label="Choose columns"
      className="roomy column-picker"
      trigger={
        <Button small>
          <Icon name="settings" size={15} />
          Columns
        </Button>
      }
    >
      <div className="scope-grid">
        {columns.map(({ id, label }) => (
          <Check
            key={id}
            label={label}
            checked={shown.includes(id)}
            onChange={() => onChange(toggled(shown, id))}
          />
        ))}
      </div>
      <div className="form-actions">
        <Button small onClick={onReset}>
          Default columns
        </Button>
      </div>
    </Popover>
  )
}
