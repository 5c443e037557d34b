import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Icon } from './icon.tsx'

type Tone = 'good' | 'bad'

const ToastContext = createContext<(text: string, tone?: Tone) => void>(() => {})
const SHOWN_MS: Record<Tone, number> = { good: 4000, bad: 9000 }

/** A word that something was done; what needs an answer belongs into the page. */
export function useToast() {
  return useContext(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ id: number; text: string; tone: Tone }[]>([])
  const show = useCallback((text: string, tone: Tone = 'good') => {
    const id = Math.random()
    setShown((before) => [...before, { id, text, tone }])
    setTimeout(() => setShown((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS[tone])
  }, [])
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, text, tone }) => (
          <div key={id} className={`toast ${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'alert'} />
            {text}
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
