// One line on standard error that is rewritten in place, only for a person and only when it takes more than a second.

export type ShowProgress = (doneBytes: number, totalBytes: number) => void

export interface Progress {
  readonly show: ShowProgress
  readonly clear: () => void
}

export function openProgress(isTerminal: boolean, startedMs: number): Progress {
  let isShown = false
  return {
    show: (doneBytes, totalBytes) => {
      const elapsedMs = Date.now() - startedMs
      if (!isTerminal || elapsedMs < 1000 || totalBytes === 0) return
      const share = doneBytes / totalBytes
      const leftSeconds = Math.ceil((elapsedMs / 1000) * (1 / Math.max(share, 0.01) - 1))
      const rate = Math.round(doneBytes / 1000 / elapsedMs)
      process.stderr.write(`\r\u001b[Kreading ${Math.round(share * 100)} %, ${rate} MB/s, ${leftSeconds} s left`)
      isShown = true
    },
    clear: () => {
      if (isShown) process.stderr.write('\r\u001b[K')
    },
  }
}
