import { systemCode } from '../base/system-code.ts'

/** Signal 0 is never delivered; it only asks. Another user's process may not be asked, but it is there. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
