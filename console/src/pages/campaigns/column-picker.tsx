import { Popover } from 'radix-ui'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { toggled } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'

type Pickable = { id: string; label: string }

/** Which columns a table shows; its first always. */
export function ColumnPicker({
  columns,
  shown,
  onChange,
  onReset,
}: {
  columns: readonly Pickable[]
  shown: readonly string[]
  onChange: (shown: string[]) => void
  onReset: () => void
}) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button small>
          <Icon name="settings" size={15} />
          Columns
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover roomy column-picker"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Choose columns"
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
              Usual columns
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
