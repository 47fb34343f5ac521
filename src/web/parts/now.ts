import { useEffect, useState } from 'react'

/** A clock for ages: it ticks twice a minute, and not for a page that nobody looks at. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const tick = (): void => {
      if (document.visibilityState === 'visible') setNowMs(Date.now())
    }
    const timer = setInterval(tick, 30_000)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [])
  return nowMs
}
