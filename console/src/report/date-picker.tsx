import { useState } from 'react'
import { type Range, rangeText } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { Calendar } from './calendar.tsx'
import { type Preset, presets } from './presets.ts'

type Chosen = { preset: string } | Range

export function DatePicker({
  range,
  preset,
  today,
  label,
  onChange,
}: {
  range: Range
  preset: Preset | undefined
  today: string
  /** Shown instead of the chosen days, if a report covers others. */
  label?: string | undefined
  onChange: (chosen: Chosen) => void
}) {
  const [open, setOpen] = useState(false)
  const choose = (chosen: Chosen) => {
    onChange(chosen)
    setOpen(false)
  }
  return (
    <Popover
      label="Choose dates"
      className="roomy date-picker"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Icon name="calendar" size={16} />
          <span className="sr-only">Dates: </span>
          {label ?? (preset ? preset.label : rangeText(range.from, range.to))}
          <Icon name="down" size={14} />
        </Button>
      }
    >
      <ul className="date-presets" aria-label="Presets">
        {presets.map(({ id, label }) => (
          <li key={id}>
            <button
              type="button"
              className="menu-item"
              aria-pressed={preset?.id === id}
              onClick={() => choose({ preset: id })}
            >
              <span className="grow">{label}</span>
              {preset?.id === id ? <Icon name="check" size={15} /> : null}
            </button>
          </li>
        ))}
      </ul>
      <Calendar range={range} today={today} onChange={choose} />
    </Popover>
  )
}
