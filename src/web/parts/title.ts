import { useEffect } from 'react'

/** The title of the window while a page is open. Null leaves it as it is. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Clew`
  }, [title])
}
