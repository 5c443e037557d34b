import { type ComponentProps, type ReactNode, useId } from 'react'

type Common = { label: string; hint?: ReactNode; problem?: string | null | undefined }

/** A label, its control, a hint and the error to fix. */
export function Field({ label, hint, problem, ...input }: Common & ComponentProps<'input'>) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        {...input}
        id={id}
        aria-describedby={described || undefined}
        aria-invalid={problem ? true : undefined}
      />
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {problem ? (
        <span className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      ) : null}
    </div>
  )
}

type Option = { value: string; label: string; group?: string }

export function Choice({
  label,
  hint,
  options,
  ...select
}: Common & { options: readonly Option[] } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select className="select" {...select} id={id} aria-describedby={hint ? `${id}-hint` : undefined}>
        {[...Map.groupBy(options, ({ group }) => group)].map(([group, members]) => {
          const list = members.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))
          return group === undefined ? (
            list
          ) : (
            <optgroup key={group} label={group}>
              {list}
            </optgroup>
          )
        })}
      </select>
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  )
}

export function Check({ label, hint, ...input }: Common & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="check">
      <input type="checkbox" {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <span>
        <label htmlFor={id}>{label}</label>
        {hint ? (
          <span className="sub" id={`${id}-hint`}>
            {hint}
          </span>
        ) : null}
      </span>
    </div>
  )
}
