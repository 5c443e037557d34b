export function Legend({
  items,
}: {
  items: readonly { key: string; label: string; color: string; dashed?: boolean }[]
}) {
  return (
    <ul className="legend">
      {items.map(({ key, label, color, dashed }) => (
        <li key={key}>
          <svg width="16" height="8" aria-hidden="true">
            <line
              x1="0"
              x2="16"
              y1="4"
              y2="4"
              stroke={color}
              strokeWidth="2.5"
              strokeDasharray={dashed ? '3 3' : undefined}
            />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}
