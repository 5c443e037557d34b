import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

/** File field for one text file, by click or drag and drop. */
export function FileDrop({
  label,
  hint,
  accept,
  onFile,
}: {
  label: string
  hint: ReactNode
  accept: string
  onFile: (file: { name: string; text: string } | null) => void
}) {
  const id = useId()
  const read = async (file: File | undefined) =>
    onFile(file ? { name: file.name, text: await file.text() } : null)
  return (
    <div className="file-drop">
      <Icon name="upload" size={24} />
      <label htmlFor={id}>{label}</label>
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => void read(event.target.files?.[0])}
      />
    </div>
  )
}
