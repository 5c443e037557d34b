import { ToggleGroup } from 'radix-ui'

/** A segmented control for a few options. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  return (
    <ToggleGroup.Root
      className="segmented"
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => (next === '' ? undefined : onChange(next as T))}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value}>
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
