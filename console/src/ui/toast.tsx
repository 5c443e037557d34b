import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Icon } from './icon.tsx'

const ToastContext = createContext<(text: string) => void>(() => {})
const SHOWN_MS = 4000

/** A word that something was done; what needs an answer belongs into the page. */
export function useToast() {
  return useContext(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ id: number; text: string }[]>([])
  const show = useCallback((text: string) => {
    const id = Math.random()
    setShown((before) => [...before, { id, text }])
    setTimeout(() => setShown((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS)
  }, [])
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, text }) => (
          <div key={id} className="toast">
            <Icon name="check" />
            {text}
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
