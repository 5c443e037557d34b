import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { messageOf } from '../api/call.ts'
import { Icon } from './icon.tsx'

type Tone = 'good' | 'bad'
/** Reverts the action. */
type Undo = () => Promise<unknown>
type Toast = { id: number; text: string; tone: Tone; undo: Undo | undefined }

const ToastContext = createContext<(text: string, tone?: Tone, undo?: Undo) => void>(() => {})
const SHOWN_MS: Record<Tone, number> = { good: 4000, bad: 9000 }
/** Long enough to notice a mistake and reach the button by keyboard. */
const UNDO_MS = 15_000

/** Shows a short message. Messages that need a response belong on the page. */
export function useToast() {
  return useContext(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const hide = useCallback(
    (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)),
    [],
  )
  const show = useCallback(
    (text: string, tone: Tone = 'good', undo?: Undo) => {
      const id = Math.random()
      setToasts((before) => [...before, { id, text, tone, undo }])
      setTimeout(() => hide(id), undo ? UNDO_MS : SHOWN_MS[tone])
    },
    [hide],
  )
  const runUndo = ({ id, undo }: Toast) => {
    hide(id)
    undo?.().then(
      () => show('Undone'),
      (error: unknown) => show(messageOf(error), 'bad'),
    )
  }
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <div key={toast.id} className={`toast ${toast.tone}`}>
            <Icon name={toast.tone === 'good' ? 'check' : 'alert'} />
            <span>{toast.text}</span>
            {toast.undo ? (
              <button type="button" className="toast-undo" onClick={() => runUndo(toast)}>
                Undo
              </button>
            ) : null}
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
