export type RepairRefusalCode =
  | 'live'
  | 'recent'
  | 'changed'
  | 'nothing-to-do'
  | 'not-allowed'
  | 'unproven'
  | 'exists'
  | 'backup-damaged'

/** A repair that was not done, or not undone. The transcript is as it was. */
export class RepairRefused extends Error {
  readonly code: RepairRefusalCode

  constructor(code: RepairRefusalCode, message: string) {
    super(message)
    this.name = 'RepairRefused'
    this.code = code
  }
}
