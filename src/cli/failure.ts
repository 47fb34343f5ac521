/** What the user should hear in one line: thrown by a command, printed by main, never a stack. */
export class Failure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
